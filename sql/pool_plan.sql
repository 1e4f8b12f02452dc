-- What allocate hands out does not depend on the plan: never more than asked, in order, each row once, and by the pool's index.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');
CREATE SCHEMA pool;
CREATE TABLE pool.item (id pg_catalog.int8 PRIMARY KEY, n pg_catalog.int4, owner pg_catalog.text, since pg_catalog.timestamptz,
                        token pg_catalog.int8 NOT NULL DEFAULT 0) WITH (autovacuum_enabled = off);
CREATE INDEX item_all ON pool.item (n, id);
CREATE INDEX item_free ON pool.item (n, id) WHERE owner IS NULL;
CREATE INDEX item_owned ON pool.item (n, id) WHERE owner IS NOT NULL;
-- The statistics will say for ever that it is empty.
ANALYZE pool.item;
SELECT arbiter.create_pool('shop', 'items', 'pool.item', 'id', 'owner', 'since', 'token', NULL, 'n, id');

-- Asks for n rows until there are none, and says what is wrong with what it got.
CREATE FUNCTION pool.drain(n pg_catalog.int8) RETURNS pg_catalog.text LANGUAGE plpgsql AS $body$
DECLARE
    got pg_catalog.int8[];
    before pg_catalog.int8[];
    seen pg_catalog.int8[] = '{}';
BEGIN
    UPDATE pool.item SET owner = NULL, token = token OPERATOR(pg_catalog.+) 1;
    LOOP
        SELECT pg_catalog.array_agg(key::pg_catalog.int8) INTO got FROM arbiter.allocate('shop', 'items', 'anna', n);
        EXIT WHEN got IS NULL;
        IF pg_catalog.cardinality(got) OPERATOR(pg_catalog.>) n THEN
            RETURN pg_catalog.format('%s instead of %s', pg_catalog.cardinality(got), n);
        END IF;
        seen = seen OPERATOR(pg_catalog.||) got;
    END LOOP;
    IF seen OPERATOR(pg_catalog.<>) ARRAY(SELECT i.id FROM pool.item AS i ORDER BY i.n, i.id) THEN
        RETURN pg_catalog.format('another order: %s', seen);
    END IF;
    RETURN 'in order';
END
$body$;
INSERT INTO pool.item (id, n) SELECT i, i OPERATOR(pg_catalog.%) 7 FROM pg_catalog.generate_series(1, 15) AS i;

-- Every way of scanning and joining forbidden, alone and together; plans made for the values and for all; from the first execution on.
CREATE TABLE pool.forbidden (settings pg_catalog.text[]);
INSERT INTO pool.forbidden VALUES ('{}'), ('{enable_hashjoin}'), ('{enable_mergejoin}'), ('{enable_nestloop}'), ('{enable_hashjoin,enable_mergejoin}'),
    ('{enable_hashjoin,enable_nestloop}'), ('{enable_indexscan}'), ('{enable_indexscan,enable_bitmapscan}'), ('{enable_tidscan}'), ('{enable_seqscan}'),
    ('{enable_sort}'), ('{enable_material}'), ('{enable_seqscan,enable_indexscan,enable_bitmapscan,enable_tidscan,enable_sort,enable_nestloop}');
CREATE FUNCTION pool.drain_without(settings pg_catalog.text[], mode pg_catalog.text) RETURNS pg_catalog.text LANGUAGE plpgsql AS $body$
DECLARE
    setting pg_catalog.text;
    found pg_catalog.text;
BEGIN
    FOREACH setting IN ARRAY settings LOOP
        PERFORM pg_catalog.set_config(setting, 'off', false);
    END LOOP;
    PERFORM pg_catalog.set_config('plan_cache_mode', mode, false);
    -- A new definition: every plan is made anew.
    COMMENT ON TABLE pool.item IS 'x';
    found = pg_catalog.concat_ws(', ', pool.drain(2), pool.drain(100));
    FOREACH setting IN ARRAY settings LOOP
        PERFORM pg_catalog.set_config(setting, 'on', false);
    END LOOP;
    PERFORM pg_catalog.set_config('plan_cache_mode', 'auto', false);
    RETURN found;
END
$body$;
SELECT mode, settings, pool.drain_without(settings, mode) AS drained
  FROM pool.forbidden, pg_catalog.unnest('{auto,force_generic_plan,force_custom_plan}'::pg_catalog.text[]) AS mode ORDER BY 1, 2;
-- Statistics of the full table, then the rows are taken: by its statistics any index in the order would do.
ANALYZE pool.item;
SELECT pool.drain_without('{}', 'auto');
TRUNCATE pool.item;
SELECT pool.drain_without('{}', 'auto');
INSERT INTO pool.item (id, n) SELECT i, i OPERATOR(pg_catalog.%) 7 FROM pg_catalog.generate_series(1, 15) AS i;
SELECT pool.drain_without('{}', 'auto');

-- It went by the index of the free rows, which no statistics and no setting argue it out of.
CREATE FUNCTION pool.scans() RETURNS TABLE (relation pg_catalog.text, scans pg_catalog.int8) LANGUAGE sql AS $body$
    SELECT c.relname::pg_catalog.text, pg_catalog.pg_stat_get_xact_numscans(c.oid) FROM pg_catalog.pg_class AS c
     WHERE c.relname OPERATOR(pg_catalog.~) '^item'
$body$;
CREATE FUNCTION pool.takes_by() RETURNS TABLE (relation pg_catalog.text, scans pg_catalog.int8) LANGUAGE plpgsql AS $body$
DECLARE
    before pg_catalog.jsonb = (SELECT pg_catalog.jsonb_object_agg(s.relation, s.scans) FROM pool.scans() AS s);
BEGIN
    PERFORM arbiter.allocate('shop', 'items', 'anna', 3);
    RETURN QUERY SELECT s.relation, s.scans OPERATOR(pg_catalog.-) (before OPERATOR(pg_catalog.->>) s.relation)::pg_catalog.int8
                   FROM pool.scans() AS s WHERE s.scans OPERATOR(pg_catalog.<>) (before OPERATOR(pg_catalog.->>) s.relation)::pg_catalog.int8;
END
$body$;
UPDATE pool.item SET owner = NULL, token = token OPERATOR(pg_catalog.+) 1;
SELECT * FROM pool.takes_by();
SET enable_indexscan = off;
ALTER TABLE pool.item SET (fillfactor = 99);
SELECT * FROM pool.takes_by();
RESET enable_indexscan;
-- Also where the primary key has the order, and is the smaller index.
CREATE TABLE pool.plain (id pg_catalog.int8 PRIMARY KEY, filler pg_catalog.text, owner pg_catalog.text, since pg_catalog.timestamptz, token pg_catalog.int8);
CREATE INDEX plain_free ON pool.plain (id) INCLUDE (filler) WHERE owner IS NULL;
INSERT INTO pool.plain (id, filler) SELECT i, pg_catalog.repeat('x', 500) FROM pg_catalog.generate_series(1, 300) AS i;
ANALYZE pool.plain;
SELECT arbiter.create_pool('shop', 'plain', 'pool.plain', 'id', 'owner', 'since', 'token', NULL, NULL);
BEGIN;
SELECT key FROM arbiter.allocate('shop', 'plain', 'anna');
SELECT pg_catalog.pg_stat_get_xact_numscans('pool.plain_free'::pg_catalog.regclass) AS free, pg_catalog.pg_stat_get_xact_numscans('pool.plain_pkey'::pg_catalog.regclass) AS pkey;
COMMIT;
-- Backwards is as good as forwards; an index of all rows, or in another order, is not.
CREATE TABLE pool.backwards (id pg_catalog.int8 PRIMARY KEY, n pg_catalog.int4, kind pg_catalog.text, owner pg_catalog.text, since pg_catalog.timestamptz, token pg_catalog.int8);
CREATE INDEX backwards_all ON pool.backwards (n, id);
CREATE INDEX backwards_other ON pool.backwards (n, id DESC) WHERE owner IS NULL;
CREATE INDEX backwards_kind ON pool.backwards (n, id) WHERE owner IS NULL AND kind OPERATOR(pg_catalog.=) 'a';
CREATE INDEX backwards_short ON pool.backwards (n) WHERE owner IS NULL;
SELECT arbiter.create_pool('shop', 'backwards', 'pool.backwards', 'id', 'owner', 'since', 'token', NULL, 'n, id');
CREATE INDEX backwards_right ON pool.backwards (n DESC, id DESC, kind) INCLUDE (token) WHERE owner IS NULL;
SELECT arbiter.create_pool('shop', 'backwards', 'pool.backwards', 'id', 'owner', 'since', 'token', NULL, 'n, id');
SELECT arbiter.create_pool('shop', 'kind', 'pool.backwards', 'id', 'owner', 'since', 'token', 'kind OPERATOR(pg_catalog.=) ''a''', 'n, id DESC');
INSERT INTO pool.backwards (id, n, kind) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, NULL, 'a');
SELECT key FROM arbiter.allocate('shop', 'backwards', 'anna', 2);
DROP INDEX pool.backwards_right;
SELECT key FROM arbiter.allocate('shop', 'backwards', 'anna', 2);
SELECT arbiter.drop_store('shop');
SET client_min_messages = warning;
DROP SCHEMA pool CASCADE;
