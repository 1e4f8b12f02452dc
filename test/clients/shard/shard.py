"""shard_of, from its description alone."""
import hashlib


def shard_of(stream: str, shards: int) -> int:
    key = int.from_bytes(hashlib.sha256(stream.encode()).digest()[:8], 'big')
    shard, following = 0, 0
    while following < shards:
        shard = following
        key = (key * 2862933555777941757 + 1) % 2**64
        following = int((shard + 1) * (2**31 / ((key >> 33) + 1)))
    return shard
