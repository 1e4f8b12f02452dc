-- The log: guarded appends, reads, and the rules that hold for every writer.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');

-- The constants, and names of streams.
SELECT arbiter.no_stream(), arbiter.any_revision(), arbiter.stream_exists();
SELECT arbiter.stream_name('order', '42');
SELECT arbiter.stream_name(category => 'order', id => '2B0E4B5A-9C5F-4A3C-8E5F-2A1B3C4D5E6F'::pg_catalog.uuid);
SELECT s.stream, arbiter.category(s.stream), arbiter.stream_id(s.stream)
  FROM (VALUES ('order-42'), ('order-4-2'), ('order'), ('-42'), ('order-'), ('-')) AS s(stream);
SELECT arbiter.stream_name('or-der', '42');
\echo :SQLSTATE
SELECT arbiter.stream_name('', '42');
\echo :SQLSTATE
SELECT arbiter.stream_name('order', '');
\echo :SQLSTATE
SELECT arbiter.stream_name('order', NULL::pg_catalog.uuid);
\echo :SQLSTATE
SELECT arbiter.stream_name('order', pg_catalog.repeat('4', 1018)) = 'order-' || pg_catalog.repeat('4', 1018);
SELECT arbiter.stream_name('order', pg_catalog.repeat('4', 1019));
\echo :SQLSTATE

-- The four expectations.
SELECT arbiter.append('shop', 'order-1', arbiter.no_stream(), 'Placed', '{"sum": 10}');
SELECT arbiter.append('shop', 'order-1', 0, 'Paid', '{"sum": 10}', '{"$correlation_id": "c-1"}');
SELECT arbiter.append('shop', 'order-1', arbiter.any_revision(), 'Noted', '"text"');
SELECT arbiter.append('shop', 'order-1', arbiter.stream_exists(), 'Noted', 'null');
SELECT arbiter.append(store => 'shop', stream => 'order-2', expected => -2, type => 'Placed', data => '[1, 2]');
SELECT position, stream, revision, type, data, metadata, recorded_at <= pg_catalog.clock_timestamp() AS told
  FROM shop.events ORDER BY position;

-- A wrong one: stream, expected and actual, in a DETAIL that never changes its form; no position is lost.
SELECT arbiter.append('shop', 'order-1', arbiter.no_stream(), 'Placed', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-1', 2, 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-1', 4, 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-1', 9223372036854775807, 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-3', 0, 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-3', arbiter.stream_exists(), 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'it''s "x", actual revision 7', 0, 'Paid', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-3', arbiter.no_stream(), 'Placed', '{}');
SELECT position FROM shop.events WHERE stream = 'order-3';

-- The same outcome has the same SQLSTATE in every isolation level.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT arbiter.append('shop', 'order-1', 0, 'Paid', '{}');
\echo :SQLSTATE
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT arbiter.append('shop', 'order-1', 0, 'Paid', '{}');
\echo :SQLSTATE
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT arbiter.append('shop', 'levels', -1, 'A', '{}'), arbiter.append('shop', 'levels', 0, 'B', '{}');
SELECT arbiter.append('shop', 'levels', -2, 'C', '{}');
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT arbiter.append('shop', 'levels', 2, 'D', '{}'), arbiter.append('shop', 'levels', -4, 'E', '{}');
COMMIT;
BEGIN READ ONLY;
SELECT arbiter.append('shop', 'levels', 4, 'F', '{}');
\echo :SQLSTATE
ROLLBACK;
SELECT revision, type FROM arbiter.read_stream('shop', 'levels');

-- A retry with the same id is answered as the first time, under every expectation and after more events came.
SELECT arbiter.append('shop', 'retry', -1, 'A', '{"n": 1, "m": 2}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'retry', -1, 'A', '{"m": 2, "n": 1.0}', '{"attempt": 2}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'retry', 0, 'B', '{}', '{}', '00000000-0000-4000-8000-000000000002');
SELECT arbiter.append('shop', 'retry', -2, 'C', '{}', '{}', '00000000-0000-4000-8000-000000000003');
SELECT arbiter.append('shop', 'retry', -4, 'D', '{}', '{}', '00000000-0000-4000-8000-000000000004');
SELECT arbiter.append('shop', 'retry', -1, 'A', '{"n": 1, "m": 2}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'retry', 0, 'B', '{}', '{}', '00000000-0000-4000-8000-000000000002');
SELECT arbiter.append('shop', 'retry', -2, 'C', '{}', '{}', '00000000-0000-4000-8000-000000000003');
SELECT arbiter.append('shop', 'retry', -4, 'D', '{}', '{}', '00000000-0000-4000-8000-000000000004');
-- In one transaction with its first time, and in one statement.
BEGIN;
SELECT arbiter.append('shop', 'retry', 3, 'E', '{}', '{}', '00000000-0000-4000-8000-000000000005');
SELECT arbiter.append('shop', 'retry', 3, 'E', '{}', '{}', '00000000-0000-4000-8000-000000000005');
COMMIT;
SELECT arbiter.append('shop', 'retry', 4, 'F', '{}', '{}', '00000000-0000-4000-8000-000000000006'),
       arbiter.append('shop', 'retry', 4, 'F', '{}', '{}', '00000000-0000-4000-8000-000000000006');
-- Known, and not this append: a bug in the caller's ids.
SELECT arbiter.append('shop', 'retry', -1, 'A', '{"n": 2}', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'retry', -1, 'X', '{"n": 1, "m": 2}', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'retry', 5, 'A', '{"n": 1, "m": 2}', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'retry', -4, 'A', '{"n": 1, "m": 2}', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'retry', 1, 'B', '{}', '{}', '00000000-0000-4000-8000-000000000002');
\echo :SQLSTATE
-- The same id in another stream is another event.
SELECT arbiter.append('shop', 'retry2', -1, 'A', '{"n": 9}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT revision, id, type FROM arbiter.read_stream('shop', 'retry');
-- Without unique ids there is no replay: the second time is a second event, or a conflict.
SELECT arbiter.create_store('loose', unique_event_ids => false);
SELECT arbiter.append('loose', 'retry', -1, 'A', '{}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('loose', 'retry', -2, 'A', '{}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('loose', 'retry', -1, 'A', '{}', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.drop_store('loose', force => true);

-- Names and types: clear limits, no truncation, byte by byte.
SELECT arbiter.append('shop', s.stream, -1, 'T', '{}')
  FROM (VALUES (' a'), ('a'), ('A'), ('a '), (E'caf\u00e9'), (E'cafe\u0301'), ('%_,''"\'), (E'two\nlines'), ('-'),
               (E'\U0001F600')) AS s(stream);
SELECT pg_catalog.count(DISTINCT stream) FROM shop.events WHERE type = 'T';
SELECT arbiter.append('shop', pg_catalog.repeat('s', 1024), -1, pg_catalog.repeat('t', 256), '{}');
SELECT pg_catalog.length(stream), pg_catalog.length(type)
  FROM arbiter.last_event('shop', pg_catalog.repeat('s', 1024), pg_catalog.repeat('t', 256));
SELECT arbiter.append('shop', pg_catalog.repeat('s', 1025), -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', pg_catalog.repeat('s', 10240), -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', pg_catalog.repeat(E'\u00e9', 513), -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'limits', -1, pg_catalog.repeat('t', 257), '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'limits', -1, '$closed', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'limits', -1, '$', '{}');
\echo :SQLSTATE

-- Payloads: an error of the server keeps its code, nothing is half-stored.
SELECT arbiter.append('shop', 'payload', -1, 'T', '{"a": "\u0000"}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'payload', -1, 'T', '{"a": "\ud800"}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'payload', -1, 'T', '{a: 1}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'payload', -1, 'T', '{"a": 1e400000}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'payload', -1, 'Keys', '{"a": 1, "a": 2}');
SELECT arbiter.append('shop', 'payload', 0, 'Number', '{"a": 1e400}');
SELECT arbiter.append('shop', 'payload', 1, 'Deep', (pg_catalog.repeat('[', 1000) || pg_catalog.repeat(']', 1000))::pg_catalog.jsonb);
SELECT arbiter.append('shop', 'payload', 2, 'Large', pg_catalog.to_jsonb(pg_catalog.repeat('x', 5000000)));
SELECT type, pg_catalog.length(data::pg_catalog.text) FROM arbiter.read_stream('shop', 'payload');
SELECT arbiter.append('shop', 'payload', 2, 'Large', pg_catalog.to_jsonb(pg_catalog.repeat('x', 5000000)), id => id)
  FROM arbiter.last_event('shop', 'payload');
SELECT arbiter.append('shop', 'payload', 3, 'T', '{}', metadata => '[]');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'payload', 3, 'T', '{}', metadata => 'null');
\echo :SQLSTATE

-- Reads.
SELECT revision FROM arbiter.read_stream('shop', 'retry', 4);
SELECT revision FROM arbiter.read_stream('shop', 'retry', max_count => 2);
SELECT revision FROM arbiter.read_stream('shop', 'retry', backwards => true, max_count => 2);
SELECT revision FROM arbiter.read_stream('shop', 'retry', 2, backwards => true);
SELECT revision FROM arbiter.read_stream('shop', 'retry', 0, 0);
SELECT revision FROM arbiter.read_stream('shop', 'retry', 9223372036854775807, 9223372036854775807);
SELECT revision FROM arbiter.read_stream('shop', 'nothing');
SELECT revision, type FROM arbiter.last_event('shop', 'retry');
SELECT revision, type FROM arbiter.last_event('shop', 'retry', 'C');
SELECT revision, type FROM arbiter.last_event('shop', 'retry', 'Z');
SELECT revision, type FROM arbiter.last_event('shop', 'nothing');
SELECT arbiter.stream_revision('shop', 'retry'), arbiter.stream_revision('shop', 'nothing');
BEGIN READ ONLY;
SELECT arbiter.stream_revision('shop', 'retry'), pg_catalog.count(*) FROM arbiter.read_stream('shop', 'retry');
COMMIT;

-- Appended in a savepoint or a block that is undone, then again.
BEGIN;
SELECT arbiter.append('shop', 'undone', -1, 'A', '{}');
SAVEPOINT s;
SELECT arbiter.append('shop', 'undone', 0, 'B', '{}', id => '00000000-0000-4000-8000-00000000000b');
ROLLBACK TO s;
SELECT arbiter.append('shop', 'undone', 0, 'B', '{}', id => '00000000-0000-4000-8000-00000000000b');
SAVEPOINT t;
SELECT arbiter.append('shop', 'undone', 0, 'C', '{}');
\echo :SQLSTATE
ROLLBACK TO t;
SELECT arbiter.append('shop', 'undone', 1, 'C', '{}');
COMMIT;
DO $$
DECLARE
    seen pg_catalog.text;
BEGIN
    BEGIN
        PERFORM arbiter.append('shop', 'undone', -2, 'D', '{}');
        RAISE division_by_zero;
    EXCEPTION WHEN division_by_zero THEN
        NULL;
    END;
    FOR i IN 0..2 LOOP
        BEGIN
            PERFORM arbiter.append('shop', 'undone', i, 'D', '{}');
        EXCEPTION WHEN SQLSTATE 'RB001' THEN
            GET STACKED DIAGNOSTICS seen = PG_EXCEPTION_DETAIL;
            RAISE NOTICE '%', seen;
        END;
    END LOOP;
END
$$;
SELECT revision, type, position - pg_catalog.lag(position) OVER (ORDER BY revision) > 0 AS later
  FROM arbiter.read_stream('shop', 'undone');

-- The call inside a query, a function's default, a rule of more than one row.
SELECT arbiter.append('shop', 'many', n, 'N', pg_catalog.to_jsonb(n)) FROM pg_catalog.generate_series(-1, 3) AS n;
WITH a AS (SELECT arbiter.append('shop', 'many', -2, 'N', '5') AS r)
SELECT r, arbiter.stream_revision('shop', 'many') FROM a;
SELECT arbiter.stream_revision('shop', 'many');
PREPARE a(pg_catalog.int8) AS SELECT arbiter.append('shop', 'many', $1, 'P', '{}');
EXECUTE a(5);
EXECUTE a(6);
EXECUTE a(7);
EXECUTE a(8);
EXECUTE a(9);
EXECUTE a(10);
EXECUTE a(11);
EXECUTE a(11);
\echo :SQLSTATE
ALTER TABLE shop.events ADD COLUMN note pg_catalog.text DEFAULT 'n';
EXECUTE a(12);
ALTER TABLE shop.events DROP COLUMN note;
EXECUTE a(13);
DEALLOCATE a;

-- Raw writers meet the same rules.
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 0, 'A', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 1, 'B', '{}'), ('raw', 2, 'C', '{}');
SELECT revision, type, metadata, id IS NOT NULL AS has_id, recorded_at <= pg_catalog.clock_timestamp() AS told,
       position - pg_catalog.lag(position) OVER (ORDER BY revision) > 0 AS later
  FROM arbiter.read_stream('shop', 'raw');
-- A hole, a hole at the start, a negative revision, the wrong order.
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 4, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw2', 1, 'A', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', -1, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 4, 'E', '{}'), ('raw', 3, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 9223372036854775807, 'E', '{}');
\echo :SQLSTATE
-- A taken revision is the primary key's to refuse.
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 2, 'D', '{}');
\echo :SQLSTATE
\set VERBOSITY terse
INSERT INTO shop.events (stream, revision, type, data, id)
     SELECT 'raw', 3, 'D', '{}', id FROM shop.events WHERE stream = 'raw' AND revision = 0;
\echo :SQLSTATE
\set VERBOSITY default
-- Position and time are the log's.
INSERT INTO shop.events (position, stream, revision, type, data) VALUES (1000000, 'raw', 3, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (recorded_at, stream, revision, type, data) VALUES ('2001-01-01', 'raw', 3, 'D', '{}');
\echo :SQLSTATE
-- Names, types, metadata, nulls.
INSERT INTO shop.events (stream, revision, type, data) VALUES ('', 0, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES (pg_catalog.repeat('s', 1025), 0, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 3, '', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 3, '$closed', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data, metadata) VALUES ('raw', 3, 'D', '{}', '[]');
\echo :SQLSTATE
\set VERBOSITY terse
INSERT INTO shop.events (stream, revision, type, data) VALUES (NULL, 3, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', NULL, 'D', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 3, NULL, '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 3, 'D', NULL);
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data, metadata) VALUES ('raw', 3, 'D', '{}', NULL);
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data, id) VALUES ('raw', 3, 'D', '{}', NULL);
\echo :SQLSTATE
\set VERBOSITY default
-- COPY.
COPY shop.events (stream, revision, type, data) FROM stdin;
raw	3	D	{}
raw	4	E	{}
\.
COPY shop.events (stream, revision, type, data) FROM stdin;
raw	5	F	{}
raw	7	G	{}
\.
COPY shop.events (position, stream, revision, type, data) FROM stdin;
99	raw	5	F	{}
\.
-- Once more for the SQLSTATE, which psql 15 keeps of no COPY.
\set VERBOSITY sqlstate
COPY shop.events (stream, revision, type, data) FROM stdin;
raw	5	F	{}
raw	7	G	{}
\.
COPY shop.events (position, stream, revision, type, data) FROM stdin;
99	raw	5	F	{}
\.
\set VERBOSITY default
-- INSERT … SELECT, ON CONFLICT, MERGE.
INSERT INTO shop.events (stream, revision, type, data)
     SELECT 'raw', n, 'S', '{}' FROM pg_catalog.generate_series(5, 6) AS n;
INSERT INTO shop.events (stream, revision, type, data)
     SELECT 'raw', n, 'S', '{}' FROM pg_catalog.generate_series(8, 7, -1) AS n;
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 6, 'T', '{}'), ('raw', 7, 'T', '{}')
    ON CONFLICT DO NOTHING;
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 9, 'T', '{}') ON CONFLICT DO NOTHING;
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 7, 'T', '{}')
    ON CONFLICT (stream, revision) DO UPDATE SET type = 'U';
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 8, 'T', '{}')
    ON CONFLICT (stream, revision) DO UPDATE SET type = 'U';
\echo :SQLSTATE
MERGE INTO shop.events AS e USING (VALUES ('raw', 8::pg_catalog.int8)) AS n(stream, revision)
   ON e.stream = n.stream AND e.revision = n.revision
 WHEN NOT MATCHED THEN INSERT (stream, revision, type, data) VALUES (n.stream, n.revision, 'M', '{}');
MERGE INTO shop.events AS e USING (VALUES ('raw', 8::pg_catalog.int8)) AS n(stream, revision)
   ON e.stream = n.stream AND e.revision = n.revision
 WHEN MATCHED THEN UPDATE SET type = 'M2';
\echo :SQLSTATE
MERGE INTO shop.events AS e USING (VALUES ('raw', 8::pg_catalog.int8)) AS n(stream, revision)
   ON e.stream = n.stream AND e.revision = n.revision
 WHEN MATCHED THEN DELETE;
\echo :SQLSTATE
-- What is written stays as it was written.
UPDATE shop.events SET type = 'X' WHERE stream = 'raw';
\echo :SQLSTATE
UPDATE shop.events SET type = 'X' WHERE false;
\echo :SQLSTATE
DELETE FROM shop.events WHERE stream = 'raw' AND revision = 8;
\echo :SQLSTATE
TRUNCATE shop.events;
\echo :SQLSTATE
TRUNCATE shop.arbiter_store, shop.events CASCADE;
\echo :SQLSTATE
CREATE VIEW shop.raw_events AS SELECT stream, revision, type, data FROM shop.events WHERE stream = 'raw';
UPDATE shop.raw_events SET type = 'X';
\echo :SQLSTATE
DELETE FROM shop.raw_events;
\echo :SQLSTATE
INSERT INTO shop.raw_events VALUES ('raw', 10, 'V', '{}');
\echo :SQLSTATE
INSERT INTO shop.raw_events VALUES ('raw', 9, 'V', '{}');
DROP VIEW shop.raw_events;
-- A reader's row lock is no change.
BEGIN;
SELECT pg_catalog.count(*) FROM (SELECT FROM shop.events WHERE stream = 'raw' FOR UPDATE) AS e;
SELECT arbiter.append('shop', 'raw', 9, 'W', '{}');
COMMIT;
SELECT revision, type FROM arbiter.read_stream('shop', 'raw');

-- Where the past is gone, as after a truncation, nobody writes it anew; the head goes on.
BEGIN;
ALTER TABLE shop.events DISABLE TRIGGER zz_arbiter_append_only;
DELETE FROM shop.events WHERE stream = 'levels' AND revision < 3;
ALTER TABLE shop.events ENABLE TRIGGER zz_arbiter_append_only;
COMMIT;
INSERT INTO shop.events (stream, revision, type, data) VALUES ('levels', 0, 'Z', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('levels', 2, 'Z', '{}') ON CONFLICT DO NOTHING;
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('levels', 3, 'Z', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'levels', 4, 'X', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('levels', 6, 'Y', '{}');
SELECT arbiter.append('shop', 'levels', 2, 'X', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'levels', -1, 'X', '{}');
\echo :SQLSTATE
SELECT revision FROM arbiter.read_stream('shop', 'levels', max_count => 2);

-- The user's own triggers, rules and columns: what is judged is the row that is really written.
CREATE FUNCTION shop.meddle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    CASE NEW.type
        WHEN 'ToHole' THEN NEW.revision := NEW.revision + 1;
        WHEN 'ToPosition' THEN NEW.position := 5;
        WHEN 'ToTime' THEN NEW.recorded_at := 'epoch';
        WHEN 'ToNothing' THEN RETURN NULL;
        WHEN 'ToReserved' THEN NEW.type := '$closed';
        WHEN 'ToMetadata' THEN NEW.metadata := NEW.metadata || '{"by": "trigger"}';
        WHEN 'ToOther' THEN PERFORM arbiter.append('shop', 'meddled-other', -2, 'Echo', '{}');
        WHEN 'ToSame' THEN PERFORM arbiter.append('shop', NEW.stream, -2, 'Echo', '{}');
        WHEN 'ToTaken' THEN INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 0, 'Echo', '{}');
        WHEN 'ToError' THEN RAISE EXCEPTION 'not on a Sunday' USING ERRCODE = 'check_violation', HINT = 'Wait.';
        ELSE NULL;
    END CASE;
    RETURN NEW;
END
$$;
CREATE TRIGGER meddle BEFORE INSERT ON shop.events FOR EACH ROW EXECUTE FUNCTION shop.meddle();
SELECT arbiter.append('shop', 'meddled', -1, 'ToHole', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('meddled', 0, 'ToHole', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('meddled', 0, 'ToPosition', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('meddled', 0, 'ToTime', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'meddled', -1, 'ToNothing', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('meddled', 0, 'ToNothing', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('meddled', 0, 'ToReserved', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'meddled', -1, 'ToMetadata', '{}', '{"a": 1}');
SELECT arbiter.append('shop', 'meddled', 0, 'ToOther', '{}');
SELECT arbiter.append('shop', 'meddled', 1, 'ToOther', '{}');
SELECT arbiter.append('shop', 'meddled', 2, 'ToSame', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'meddled', 2, 'ToTaken', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'meddled', 2, 'ToError', '{}');
\echo :SQLSTATE
DROP TRIGGER meddle ON shop.events;
SELECT revision, type, metadata FROM arbiter.read_stream('shop', 'meddled');
SELECT revision, type FROM arbiter.read_stream('shop', 'meddled-other');
CREATE RULE swallow AS ON INSERT TO shop.events WHERE NEW.type = 'Swallowed' DO INSTEAD NOTHING;
SELECT arbiter.append('shop', 'meddled', 2, 'Swallowed', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'meddled', 2, 'Kept', '{}');
DROP RULE swallow ON shop.events;
ALTER TABLE shop.events ADD CONSTRAINT small CHECK (type <> 'Bad'), ADD COLUMN twice pg_catalog.int8 GENERATED ALWAYS AS (revision * 2) STORED;
SELECT arbiter.append('shop', 'meddled', 3, 'Good', '{}');
\set VERBOSITY terse
SELECT arbiter.append('shop', 'meddled', 4, 'Bad', '{}');
\echo :SQLSTATE
\set VERBOSITY default
SELECT revision, twice FROM shop.events WHERE stream = 'meddled' ORDER BY revision;
ALTER TABLE shop.events DROP CONSTRAINT small, DROP COLUMN twice;

-- What a query that failed has read does not stay until the query around it is through.
SELECT arbiter.append_events('shop', 'counted', -1, pg_catalog.jsonb_agg('{"type": "Counted", "data": {}}'::pg_catalog.jsonb)) FROM pg_catalog.generate_series(1, 2000);
DO $$
DECLARE
    event arbiter.recorded_event;
    kept pg_catalog.int8;
BEGIN
    FOR event IN SELECT * FROM arbiter.read_stream('shop', 'counted', max_count => 20) LOOP
        BEGIN
            PERFORM 1 / (e.revision - 1999) FROM arbiter.read_stream('shop', 'counted') AS e;
        EXCEPTION WHEN division_by_zero THEN
            SELECT pg_catalog.sum(total_bytes) INTO kept FROM pg_catalog.pg_backend_memory_contexts WHERE name = 'arbiter rows';
        END;
    END LOOP;
    RAISE NOTICE 'little kept: %', kept < 3000000;
END
$$;

-- A sequence that has been set back never puts an event before its predecessor.
SELECT pg_catalog.setval('shop.events_position', 1);
SELECT arbiter.append('shop', 'meddled', 4, 'Late', '{}');
\echo :SQLSTATE
SELECT pg_catalog.setval('shop.events_position', (SELECT pg_catalog.max(position) FROM shop.events)) > 1 AS repaired;
SELECT arbiter.append('shop', 'meddled', 4, 'Late', '{}');
SELECT pg_catalog.setval('shop.events_position', 4611686018427387904) > 0 AS far;
SELECT arbiter.append('shop', 'meddled', 5, 'Far', '{}');
SELECT pg_catalog.setval('shop.events_position', 9223372036854775805) > 0 AS farther;
SELECT arbiter.append('shop', 'meddled', 6, 'Last', '{}');
SELECT arbiter.append('shop', 'meddled', 7, 'None left', '{}');
\echo :SQLSTATE

-- In the whole store: revisions dense from 0, positions in their order.
SELECT pg_catalog.count(*) AS out_of_order FROM (
    SELECT revision - pg_catalog.row_number() OVER w AS off,
           position <= pg_catalog.lag(position) OVER w AS behind
      FROM shop.events WHERE stream <> 'levels' WINDOW w AS (PARTITION BY stream ORDER BY revision)) AS e
 WHERE off <> -1 OR behind;
DROP FUNCTION shop.meddle();
SELECT arbiter.drop_store('shop', force => true);
