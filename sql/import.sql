-- import_events: a history with its positions and times, into an empty store.
-- Every error is followed by its SQLSTATE.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
SET timezone = 'UTC';
CREATE SCHEMA staging;
SELECT arbiter.create_store('imported');

-- A staging table as a COPY from elsewhere leaves it: in any order, all of it text.
CREATE TABLE staging.texts (recorded_at pg_catalog.text, position pg_catalog.text, note pg_catalog.text, stream pg_catalog.text, revision pg_catalog.text, id pg_catalog.text, type pg_catalog.text, data pg_catalog.text, metadata pg_catalog.text);
COPY staging.texts FROM stdin;
2024-03-01 10:00:00+01	12	x	order-1	1	00000000-0000-4000-8000-000000000002	Paid	{"sum": 3}	{}
2024-02-01 10:00:00+01	7	x	order-1	0	00000000-0000-4000-8000-000000000001	Placed	{"sum": 3}	{"by": "Ann"}
2024-02-02 10:00:00+01	9	\N	order-2	0	00000000-0000-4000-8000-000000000001	Placed	"text"	{}
\.
SELECT arbiter.import_events('imported', 'staging.texts');
SELECT * FROM imported.events ORDER BY position;
-- It goes on behind the last position; the old ids are known.
SELECT arbiter.append('imported', 'order-1', 1, 'Shipped', '{}');
SELECT position FROM arbiter.last_event('imported', 'order-1');
SELECT arbiter.append('imported', 'order-1', 0, 'Paid', '{"sum": 3}', id => '00000000-0000-4000-8000-000000000002');
-- Only once, and never behind somebody's back.
SELECT arbiter.import_events('imported', 'staging.texts');
\echo :SQLSTATE
SELECT arbiter.drop_store('imported', force => true);

-- What is refused: each time the one row that is changed makes the difference, and nothing is stored.
CREATE TABLE staging.events (position pg_catalog.int8, stream pg_catalog.text, revision pg_catalog.int8, id pg_catalog.uuid DEFAULT pg_catalog.gen_random_uuid(), type pg_catalog.text, data pg_catalog.jsonb DEFAULT '{}', metadata pg_catalog.jsonb DEFAULT '{}', recorded_at pg_catalog.timestamptz DEFAULT '2024-01-01');
INSERT INTO staging.events (position, stream, revision, type) VALUES (1, 'a', 0, 'A'), (2, 'b', 0, 'A'), (3, 'a', 1, 'B'), (4, 'a', 2, 'C'), (5, 'b', 1, 'B');
CREATE PROCEDURE staging.try(change pg_catalog.text) LANGUAGE plpgsql AS $$
DECLARE
    said pg_catalog.text;
    detail pg_catalog.text;
    hint pg_catalog.text;
    code pg_catalog.text;
BEGIN
    EXECUTE change;
    PERFORM arbiter.import_events('imported', 'staging.events');
    RAISE EXCEPTION 'accepted: %', change;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS said = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, code = RETURNED_SQLSTATE;
    RAISE INFO E'% %\n  % %', code, said, detail, hint;
END
$$;
SELECT arbiter.create_store('imported');
CALL staging.try('UPDATE staging.events SET position = 2 WHERE position = 3');
CALL staging.try('UPDATE staging.events SET position = 0 WHERE position = 1');
CALL staging.try('UPDATE staging.events SET position = -7 WHERE position = 5');
CALL staging.try('UPDATE staging.events SET position = 9223372036854775807 WHERE position = 5');
CALL staging.try('UPDATE staging.events SET position = NULL WHERE position = 5');
CALL staging.try('UPDATE staging.events SET revision = 3 WHERE position = 4');
CALL staging.try('UPDATE staging.events SET revision = 1 WHERE position = 4');
CALL staging.try('UPDATE staging.events SET position = 6 WHERE position = 3');
CALL staging.try('UPDATE staging.events SET revision = revision + 1');
CALL staging.try('UPDATE staging.events SET revision = -1 WHERE position = 1');
CALL staging.try('UPDATE staging.events SET revision = NULL WHERE position = 3');
CALL staging.try('UPDATE staging.events SET stream = '''' WHERE position = 3');
CALL staging.try('UPDATE staging.events SET stream = pg_catalog.repeat(''s'', 1025) WHERE position = 3');
CALL staging.try('UPDATE staging.events SET type = '''' WHERE position = 3');
CALL staging.try('UPDATE staging.events SET type = ''$metadata'' WHERE position = 3');
CALL staging.try('UPDATE staging.events SET type = ''$closed'' WHERE position = 3');
CALL staging.try('UPDATE staging.events SET metadata = ''[]'' WHERE position = 3');
CALL staging.try('UPDATE staging.events SET metadata = NULL WHERE position = 3');
CALL staging.try('UPDATE staging.events SET id = ''00000000-0000-4000-8000-000000000001'' WHERE stream = ''a''');
CALL staging.try('UPDATE staging.events SET id = NULL WHERE position = 5');
CALL staging.try('UPDATE staging.events SET recorded_at = NULL WHERE position = 5');
CALL staging.try('ALTER TABLE staging.events RENAME COLUMN type TO kind');
CALL staging.try('DROP TABLE staging.events');
CALL staging.try('INSERT INTO imported.events (stream, revision, type, data) VALUES (''a'', 0, ''A'', ''{}'')');
SELECT pg_catalog.count(*) FROM imported.events;
SELECT last_value, is_called FROM imported.events_position;
-- Where a position has been handed out, readers may have gone past it, though nothing is stored there.
SELECT arbiter.import_events('imported', 'staging.events');
\echo :SQLSTATE
SELECT arbiter.drop_store('imported');
-- The last position may be the first.
SELECT arbiter.create_store('imported');
CREATE VIEW staging.first AS SELECT * FROM staging.events WHERE position = 1;
SELECT arbiter.import_events('imported', 'staging.first');
SELECT arbiter.append('imported', 'a', 0, 'B', '{}');
SELECT position FROM arbiter.last_event('imported', 'a');
SELECT arbiter.drop_store('imported', force => true);
SELECT arbiter.create_store('imported');

-- What a store writes itself comes along: a closed stream stays closed, a truncated one begins where it was cut.
INSERT INTO staging.events (position, stream, revision, type) VALUES (10, 'cut', 5, 'F'), (11, 'cut', 6, '$truncated'), (12, 'cut', 7, 'G'), (13, 'a', 3, '$closed'), (14, 'b', 2, '$redacted');
SELECT arbiter.import_events('imported', 'staging.events');
SELECT position, stream, revision, type FROM imported.events WHERE position >= 10 ORDER BY position;
SELECT arbiter.append('imported', 'a', 3, 'D', '{}');
\echo :SQLSTATE
SELECT arbiter.append('imported', 'cut', 7, 'H', '{}');
INSERT INTO imported.events (stream, revision, type, data) VALUES ('cut', 4, 'E', '{}');
\echo :SQLSTATE
-- A stream may end with the last revision there is; then nothing follows it.
SELECT arbiter.create_store('ended');
CREATE TABLE staging.ended (LIKE staging.events INCLUDING DEFAULTS);
INSERT INTO staging.ended (position, stream, revision, type) VALUES (1, 'e', 9223372036854775806, '$truncated'), (2, 'e', 9223372036854775807, 'E');
SELECT arbiter.import_events('ended', 'staging.ended');
SELECT arbiter.append('ended', 'e', 9223372036854775807, 'F', '{}');
\echo :SQLSTATE
SELECT arbiter.close_stream('ended', 'e', 'over');
\echo :SQLSTATE
SELECT revision FROM ended.events ORDER BY revision;
SELECT arbiter.drop_store('ended', force => true);
-- A store reads another store's table, or a view of it.
SELECT arbiter.create_store('again', unique_event_ids => false);
CREATE VIEW staging.of_cut AS SELECT position, stream, revision, id, type, data, metadata, recorded_at FROM imported.events WHERE stream = 'cut';
SET search_path = staging;
SELECT arbiter.import_events('again', 'of_cut');
RESET search_path;
SELECT position, revision, type FROM again.events ORDER BY position;
SELECT arbiter.drop_store('again', force => true);
-- Nothing to import, and a table of its own.
SELECT arbiter.create_store('again');
SELECT arbiter.import_events('again', 'again.events');
SELECT arbiter.import_events('again', 'nowhere.events');
\echo :SQLSTATE
SELECT arbiter.import_events('again', 'staging.events; DROP TABLE staging.events');
\echo :SQLSTATE
SELECT arbiter.import_events('again', NULL);
\echo :SQLSTATE

-- What the owner has added to the table has its say, and may not change what is judged.
ALTER TABLE again.events ADD COLUMN tenant pg_catalog.text DEFAULT 'none';
CREATE FUNCTION again.meddle() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS $$
BEGIN
    CASE new.type
        WHEN 'ToTenant' THEN new.tenant := 'x';
        WHEN 'ToHole' THEN new.revision := new.revision + 1;
        WHEN 'ToBack' THEN new.position := 1;
        WHEN 'ToNone' THEN new.position := NULL;
        WHEN 'ToType' THEN new.type := '$x';
        WHEN 'ToNothing' THEN RETURN NULL;
        WHEN 'ToOther' THEN INSERT INTO again.events (position, stream, revision, type, data, recorded_at) VALUES (99, 'other', 0, 'X', '{}', 'epoch');
        ELSE NULL;
    END CASE;
    RETURN new;
END
$$;
CREATE TRIGGER meddle BEFORE INSERT ON again.events FOR EACH ROW EXECUTE FUNCTION again.meddle();
CREATE TABLE staging.more (LIKE staging.events INCLUDING DEFAULTS);
INSERT INTO staging.more (position, stream, revision, type) VALUES (3, 'a', 0, 'ToTenant'), (5, 'a', 1, 'Kept');
\set VERBOSITY terse
UPDATE staging.more SET type = 'ToHole' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
UPDATE staging.more SET type = 'ToBack' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
UPDATE staging.more SET type = 'ToNone' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
UPDATE staging.more SET type = 'ToType' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
UPDATE staging.more SET type = 'ToNothing' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
-- One statement passes, and no other that runs inside it.
UPDATE staging.more SET type = 'ToOther' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
\echo :SQLSTATE
UPDATE staging.more SET type = 'Kept' WHERE position = 5;
SELECT arbiter.import_events('again', 'staging.more');
SELECT position, revision, type, recorded_at, tenant FROM again.events ORDER BY position;
INSERT INTO again.events (position, stream, revision, type, data, recorded_at) VALUES (99, 'other', 0, 'X', '{}', 'epoch');
\echo :SQLSTATE
\set VERBOSITY default
DROP FUNCTION again.meddle() CASCADE;
SELECT arbiter.drop_store('again', force => true);
DROP VIEW staging.of_cut;
SELECT arbiter.drop_store('imported', force => true);

-- A source may change the table while it is read: the events are stored as it is now.
SELECT arbiter.create_store('widened');
CREATE FUNCTION staging.widen(given pg_catalog.int8) RETURNS pg_catalog.int8 LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE widened.events ADD COLUMN tenant pg_catalog.text NOT NULL DEFAULT 'ours';
    RETURN given;
END
$$;
CREATE VIEW staging.widening AS
SELECT staging.widen(position) AS position, stream, revision, id, type, data, metadata, recorded_at FROM staging.events WHERE position OPERATOR(pg_catalog.=) 1;
SELECT arbiter.import_events('widened', 'staging.widening');
SELECT position, revision, type, tenant FROM widened.events;
SELECT arbiter.drop_store('widened', force => true);
DROP FUNCTION staging.widen(pg_catalog.int8) CASCADE;

-- Whoever may give times and positions may write any past: the owner alone.
CREATE ROLE regress_importer;
GRANT USAGE ON SCHEMA arbiter TO regress_importer;
SELECT arbiter.create_store('owned');
GRANT USAGE ON SCHEMA owned, staging TO regress_importer;
GRANT ALL ON owned.events TO regress_importer;
GRANT SELECT ON staging.events TO regress_importer;
SET ROLE regress_importer;
SELECT arbiter.import_events('owned', 'staging.events');
\echo :SQLSTATE
RESET ROLE;
-- And the owner reads the source with privileges of his own.
DO $$ BEGIN EXECUTE pg_catalog.format('GRANT CREATE ON DATABASE %I TO regress_importer', pg_catalog.current_database()); END $$;
REVOKE ALL ON staging.events FROM regress_importer;
SET ROLE regress_importer;
SELECT arbiter.create_store('his');
SELECT arbiter.import_events('his', 'staging.events');
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.import_events('his', 'staging.events');
\echo :SQLSTATE
ROLLBACK;
SELECT arbiter.drop_store('his');
RESET ROLE;
SELECT arbiter.drop_store('owned', force => true);
DROP SCHEMA staging CASCADE;
DO $$ BEGIN EXECUTE pg_catalog.format('REVOKE ALL ON DATABASE %I FROM regress_importer', pg_catalog.current_database()); END $$;
DROP OWNED BY regress_importer;
DROP ROLE regress_importer;
