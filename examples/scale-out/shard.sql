-- One shard of three: an ordinary store, and a constraint by which it holds its own streams alone. Played in the
-- database of each shard:  psql -v shard=0 -f shard.sql
\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS arbiter;
SELECT arbiter.create_store('shop');
SELECT arbiter.create_ledger('shop', 'mails');

-- The arbiter of the map. A router that counts the shards otherwise, or a script that went to the wrong one, is
-- refused here, at the write; without it a stream could begin twice and no constraint would ever see both.
ALTER TABLE shop.events ADD CONSTRAINT events_of_this_shard CHECK (arbiter.shard_of(stream, 3) = :shard);
