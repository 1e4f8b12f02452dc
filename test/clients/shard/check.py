"""Runs the vectors."""
import json
import sys

from shard import shard_of

with open(sys.argv[1], encoding='utf-8') as file:
    vectors = json.load(file)
wrong = [(v['stream'], n) for v in vectors for n, shard in v['shards'].items() if shard_of(v['stream'], int(n)) != shard]
sys.exit(f'wrong: {wrong}' if wrong or not vectors else 0)
