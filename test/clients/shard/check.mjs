// Runs the vectors; with a second argument, writes that many names with their shards as lines for COPY.
import { readFileSync, writeFileSync } from 'node:fs';
import { shardOf } from './shard.mjs';

const [file, count, out] = process.argv.slice(2);
const vectors = JSON.parse(readFileSync(file, 'utf8'));
const wrong = vectors.filter(({ stream, shards }) =>
    Object.entries(shards).some(([n, shard]) => shardOf(stream, Number(n)) !== shard));
if (wrong.length > 0 || vectors.length === 0) {
    console.error(JSON.stringify(wrong));
    process.exit(1);
}
if (count) {
    const lines = Array.from({ length: Number(count) }, (_, i) => {
        const shards = 1 + (i * 7919) % 5000;
        return `order-${i}\t${shards}\t${shardOf(`order-${i}`, shards)}`;
    });
    writeFileSync(out, lines.join('\n') + '\n');
}
