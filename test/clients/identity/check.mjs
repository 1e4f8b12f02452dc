// Runs the exported vectors; with a second argument, writes that many random lists with what JavaScript
// makes of them, as lines of tab-separated hexadecimal for COPY.
import { readFileSync, writeFileSync } from 'node:fs';
import { deviceGroupId } from './device_group.mjs';

const [file, count, out] = process.argv.slice(2);
const { vectors } = JSON.parse(readFileSync(file, 'utf8'));
const wrong = vectors.filter(({ args, uuid }) => deviceGroupId(args.organization_id, args.serial_numbers) !== uuid);
if (wrong.length > 0 || vectors.length === 0) {
    console.error(JSON.stringify(wrong));
    process.exit(1);
}

let state = 20240229; // the same lists each time (mulberry32)
function random(below) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
}

const RANGES = [[1, 0x7f], [1, 0x20], [0x41, 0x5a], [0x80, 0x7ff], [0x2000, 0x206f], [0xd000, 0xd7ff],
    [0xe000, 0xffff], [0x10000, 0x10ffff], [0x1f600, 0x1f64f], [0x20, 0x7e]];
function randomText() {
    const [first, last] = RANGES[random(RANGES.length)];
    return Array.from({ length: random(8) }, () => String.fromCodePoint(first + random(last - first + 1))).join('');
}

const hex = text => Buffer.from(text, 'utf8').toString('hex');
if (count) {
    const lines = [];
    for (let i = 0; i < Number(count); ++i) {
        const organization = `${hex(String(i)).padStart(8, '0').slice(-8)}-0000-4000-8000-0000000000ff`;
        const texts = Array.from({ length: random(7) }, randomText);
        lines.push([organization, texts.map(hex).join(','), texts.length, hex(JSON.stringify(texts)),
            deviceGroupId(organization, texts)].join('\t'));
    }
    writeFileSync(out, lines.join('\n') + '\n');
}
