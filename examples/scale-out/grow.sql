-- The same, on every router, last:  psql -v shard3='host=… dbname=…' -f grow.sql
\set ON_ERROR_STOP on
BEGIN;
ALTER SERVER shop_shards OPTIONS (ADD p3 :'shard3');
CREATE OR REPLACE FUNCTION shop.shard(stream text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN arbiter.shard_of(stream, 4);
-- What has arrived there was applied when it was read from where it was before.
INSERT INTO shop.cursors SELECT 3, coalesce(max(position), 0) FROM shop.read_feed(3, 0, 1000000);
COMMIT;
