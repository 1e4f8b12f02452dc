-- The same, on the new shard:  cat 0.csv 1.csv 2.csv | psql -X -f arrive.sql
\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS arbiter;
SELECT arbiter.create_store('shop');
ALTER TABLE shop.events ADD CONSTRAINT events_of_this_shard CHECK (arbiter.shard_of(stream, 4) = 3);

CREATE TEMPORARY TABLE arrived (shard integer, old_position bigint, stream text, revision bigint, id uuid, type text,
                                data jsonb, metadata jsonb, recorded_at timestamptz);
\copy arrived FROM pstdin WITH (FORMAT csv)
-- A position means something on its own shard only, so they get new ones. A stream comes from one shard, whole.
CREATE TEMPORARY VIEW arriving AS
    SELECT row_number() OVER (ORDER BY shard, old_position) AS position, stream, revision, id, type, data, metadata, recorded_at
      FROM arrived;
SELECT arbiter.import_events('shop', 'arriving');
