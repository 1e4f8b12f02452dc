-- Growing from three shards to four, on each of the three: what belongs to the fourth is refused from here on, and
-- written out.  psql -Xq -v shard=0 -f leave.sql >0.csv
\set ON_ERROR_STOP on
-- Waits for the writers in flight; whoever comes later meets the new map. NOT VALID: the history stays for now.
ALTER TABLE shop.events DROP CONSTRAINT events_of_this_shard,
    ADD CONSTRAINT events_of_this_shard CHECK (arbiter.shard_of(stream, 4) = :shard) NOT VALID;
COPY (SELECT :shard AS shard, position, stream, revision, id, type, data, metadata, recorded_at
        FROM shop.events WHERE arbiter.shard_of(stream, 4) = 3 ORDER BY position) TO STDOUT WITH (FORMAT csv);
