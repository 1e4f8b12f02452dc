// shard_of, from its description alone.
import { createHash } from 'node:crypto';

export function shardOf(stream, shards) {
    let key = createHash('sha256').update(stream, 'utf8').digest().readBigUInt64BE();
    let shard = 0;
    for (let next = 0; next < shards;) {
        shard = next;
        key = BigInt.asUintN(64, key * 2862933555777941757n + 1n);
        next = Math.floor((shard + 1) * (2 ** 31 / (Number(key >> 33n) + 1)));
    }
    return shard;
}
