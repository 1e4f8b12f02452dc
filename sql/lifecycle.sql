-- close_stream, truncate_stream, redact: the only ways in which history changes.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');
CREATE FUNCTION shop.fill(stream pg_catalog.text, events pg_catalog.int8) RETURNS pg_catalog.int8 LANGUAGE sql
    AS 'SELECT arbiter.append_events(''shop'', $1, -1, (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
        ''type'', ''Noted'', ''data'', pg_catalog.jsonb_build_object(''n'', n), ''metadata'', pg_catalog.jsonb_build_object(''by'', ''Ann''),
        ''id'', ''00000000-0000-4000-8000-00000000000'' || n)) FROM pg_catalog.generate_series(0, $2 - 1) AS n))';
CREATE FUNCTION shop.told(stream pg_catalog.text) RETURNS TABLE (revision pg_catalog.int8, type pg_catalog.text, data pg_catalog.jsonb, metadata pg_catalog.jsonb)
    LANGUAGE sql AS 'SELECT e.revision, e.type, e.data - ''session_user'' - ''current_user'', e.metadata FROM arbiter.read_stream(''shop'', $1) AS e';

-- Closing: the last event, and every writer is told.
SELECT shop.fill('order-1', 2);
SELECT arbiter.close_stream('shop', 'order-1', 'shipped');
SELECT * FROM shop.told('order-1');
SELECT data OPERATOR(pg_catalog.->>) 'session_user' = SESSION_USER AS by_session, data OPERATOR(pg_catalog.->>) 'current_user' = CURRENT_USER AS by_role
  FROM arbiter.last_event('shop', 'order-1');
SELECT arbiter.close_stream('shop', 'order-1', 'once more');
SELECT arbiter.append('shop', 'order-1', -2, 'Late', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-1', 2, 'Late', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.append_if('shop', 'order-1', 2, '[{"type": "Late", "data": {}}]');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('order-1', 3, 'Late', '{}');
\echo :SQLSTATE
-- A retry of what came before the end is answered as then.
SELECT arbiter.append('shop', 'order-1', -1, 'Noted', '{"n": 0}', id => '00000000-0000-4000-8000-000000000000');
SELECT arbiter.close_stream('shop', 'order-none', 'shipped');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-1', -2, '$closed', '{}');
\echo :SQLSTATE

-- Truncating: what is before is gone, what follows keeps its revisions.
SELECT shop.fill('order-2', 5);
SELECT arbiter.truncate_stream('shop', 'order-2', 3, 'older than ten years');
SELECT * FROM shop.told('order-2');
SELECT pg_catalog.count(*) FROM shop.events WHERE stream = 'order-2' AND revision < 3;
SELECT arbiter.stream_revision('shop', 'order-2');
SELECT revision FROM arbiter.read_stream('shop', 'order-2', from_revision => 1, max_count => 2);
SELECT revision FROM arbiter.read_stream('shop', 'order-2', backwards => true);
SELECT revision, head FROM arbiter.load_stream('shop', 'order-2', lock => false);
-- The same again is answered, not done again; more of it is done.
SELECT arbiter.truncate_stream('shop', 'order-2', 3, 'once more');
SELECT arbiter.truncate_stream('shop', 'order-2', 1, 'once more');
SELECT arbiter.truncate_stream('shop', 'order-2', 4, 'more');
SELECT * FROM shop.told('order-2');
-- The head is what is expected, whatever the first one is; the past is not written anew.
SELECT arbiter.append('shop', 'order-2', 5, 'Late', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-2', -1, 'Late', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'order-2', 6, 'Next', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('order-2', 1, 'Forged', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('order-2', 8, 'Raw', '{}');
-- An id that is gone is known no more.
SELECT arbiter.append('shop', 'order-2', -1, 'Noted', '{"n": 0}', id => '00000000-0000-4000-8000-000000000000');
\echo :SQLSTATE
-- All of it: what tells of it is there, and the revisions go on.
SELECT arbiter.truncate_stream('shop', 'order-2', 9, 'all');
SELECT * FROM shop.told('order-2');
SELECT arbiter.append('shop', 'order-2', 9, 'Next', '{}');
SELECT arbiter.truncate_stream('shop', 'order-2', 0, 'nothing');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-2', 12, 'too much');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-none', 1, 'nothing there');
\echo :SQLSTATE

-- Redacting: the event stays, what it said is gone.
SELECT shop.fill('order-3', 3);
SELECT arbiter.append('shop', 'order-3', 2, 'Large', pg_catalog.to_jsonb(pg_catalog.repeat('secret', 100000)));
SELECT position AS place, id AS kept FROM shop.events WHERE stream = 'order-3' AND revision = 1 \gset
SELECT arbiter.redact('shop', 'order-3', 1, 'request 17');
SELECT arbiter.redact('shop', 'order-3', 3, 'request 18');
SELECT * FROM shop.told('order-3');
SELECT position = :place AS same_position, id = :'kept' AS same_id FROM shop.events WHERE stream = 'order-3' AND revision = 1;
SELECT arbiter.redact('shop', 'order-3', 1, 'once more');
-- Metadata that looks like it is no excuse.
SELECT arbiter.append('shop', 'order-3', 5, 'Sly', '{"name": "Ann"}', '{"$redacted": 4}');
SELECT arbiter.redact('shop', 'order-3', 6, 'request 19');
SELECT data, metadata FROM arbiter.read_stream('shop', 'order-3', 6, 1);
-- Its retry is answered: to compare is impossible, to store it again would undo the redaction.
SELECT arbiter.append('shop', 'order-3', 0, 'Noted', '{"n": 1}', id => '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'order-3', 0, 'Other', '{"n": 1}', id => '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-3', 4, 'cover the tracks');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-3', 99, 'none');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-2', 1, 'truncated');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-3', -1, 'none');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-none', 0, 'none');
\echo :SQLSTATE

-- A closed stream can be truncated and redacted, and stays closed.
SELECT arbiter.redact('shop', 'order-1', 1, 'request 20');
SELECT arbiter.truncate_stream('shop', 'order-1', 1, 'old');
SELECT * FROM shop.told('order-1');
SELECT arbiter.append('shop', 'order-1', -2, 'Late', '{}');
\echo :SQLSTATE
SELECT arbiter.close_stream('shop', 'order-1', 'again');
SELECT arbiter.truncate_stream('shop', 'order-1', 7, 'all of it');
SELECT * FROM shop.told('order-1');
SELECT arbiter.append('shop', 'order-1', -2, 'Late', '{}');
\echo :SQLSTATE

-- fold and handle do not see the log's own events, handle expects the head that they are.
CREATE FUNCTION shop.count_up(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb LANGUAGE sql
    AS 'SELECT pg_catalog.to_jsonb(state::pg_catalog.int8 OPERATOR(pg_catalog.+) 1)';
CREATE FUNCTION shop.once(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql AS 'SELECT command';
SELECT arbiter.fold('shop', 'order-3', 'shop.count_up', '0');
SELECT shop.fill('order-4', 4);
SELECT arbiter.truncate_stream('shop', 'order-4', 2, 'old');
SELECT arbiter.fold('shop', 'order-4', 'shop.count_up', '0');
SELECT * FROM arbiter.handle('shop', 'order-4', '[{"type": "A", "data": 1}]', 'shop.once', 'shop.count_up', '0');
SELECT arbiter.close_stream('shop', 'order-4', 'done');
SELECT * FROM arbiter.handle('shop', 'order-4', '[]', 'shop.once', 'shop.count_up', '0');
SELECT * FROM arbiter.handle('shop', 'order-4', '[{"type": "A", "data": 1}]', 'shop.once', 'shop.count_up', '0');
\echo :SQLSTATE
-- The natural key goes with the event that bore it, and comes back with the next one.
SELECT * FROM arbiter.handle('shop', 'order-5', '[{"type": "A", "data": 1}]', 'shop.once', 'shop.count_up', '0', key => '"k"');
SELECT arbiter.redact('shop', 'order-5', 0, 'request 21');
SELECT * FROM arbiter.handle('shop', 'order-5', '[{"type": "B", "data": 1}]', 'shop.once', 'shop.count_up', '0', key => '"k"');
SELECT revision, type, metadata FROM arbiter.read_stream('shop', 'order-5');

-- Readers of the whole store step over the holes.
CREATE TABLE shop.copy AS SELECT stream, revision, type FROM shop.events ORDER BY position;
SELECT pg_catalog.count(*) FROM (SELECT f.stream, f.revision, f.type FROM arbiter.read_feed('shop') AS f EXCEPT ALL SELECT stream, revision, type FROM shop.copy) AS d;
SELECT pg_catalog.count(*) FROM (SELECT stream, revision, type FROM shop.copy EXCEPT ALL SELECT f.stream, f.revision, f.type FROM arbiter.read_feed('shop') AS f) AS d;
SELECT arbiter.feed_horizon('shop') = pg_catalog.max(position) AS settled FROM shop.events;

-- A strict projection steps over what is gone, and over nothing else.
SELECT arbiter.create_projection('shop', 'totals', 'external');
SELECT shop.fill('order-9', 6);
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 0);
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 4);
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-9', 4, 'old');
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 5);
\echo :SQLSTATE
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 3);
\echo :SQLSTATE
SELECT arbiter.fail_event('shop', 'totals', 'order-9'::pg_catalog.text, 4, 'smtp: 421') IS NOT NULL AS put_off;
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 4);
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 4);
SELECT arbiter.advance('shop', 'totals', 'order-9'::pg_catalog.text, 5);
-- One that comes new to the stream begins where it begins now.
SELECT arbiter.create_projection('shop', 'late', 'external');
SELECT arbiter.advance('shop', 'late', 'order-9'::pg_catalog.text, 5);
\echo :SQLSTATE
SELECT arbiter.advance('shop', 'late', 'order-9'::pg_catalog.text, 4);

-- Everybody else still meets the triggers, before, within and after.
UPDATE shop.events SET data = '{}' WHERE stream = 'order-3';
\echo :SQLSTATE
DELETE FROM shop.events WHERE stream = 'order-3';
\echo :SQLSTATE
CREATE FUNCTION shop.creep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE shop.events SET data = '"crept"' WHERE stream = 'order-2'; RETURN OLD; END $$;
CREATE TRIGGER creep BEFORE DELETE ON shop.events FOR EACH ROW EXECUTE FUNCTION shop.creep();
SELECT shop.fill('order-6', 3);
SELECT arbiter.truncate_stream('shop', 'order-6', 2, 'old');
\echo :SQLSTATE
-- A trigger of the owner's that keeps rows is found out.
CREATE OR REPLACE FUNCTION shop.creep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
SELECT arbiter.truncate_stream('shop', 'order-6', 2, 'old');
\echo :SQLSTATE
DROP TRIGGER creep ON shop.events;
-- Nor does a trigger that keeps what was to be erased go unnoticed.
CREATE FUNCTION shop.keep() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS 'BEGIN NEW.data = OLD.data; RETURN NEW; END';
CREATE TRIGGER keep BEFORE UPDATE ON shop.events FOR EACH ROW EXECUTE FUNCTION shop.keep();
SELECT shop.fill('kept', 2);
SELECT arbiter.redact('shop', 'kept', 1, 'GDPR');
\echo :SQLSTATE
DROP TRIGGER keep ON shop.events;
DROP FUNCTION shop.keep();
-- On the portable path too.
ALTER TABLE shop.events ADD COLUMN note pg_catalog.text DEFAULT 'n';
SELECT arbiter.truncate_stream('shop', 'order-6', 2, 'old');
SELECT arbiter.redact('shop', 'order-6', 2, 'request 22');
SELECT arbiter.close_stream('shop', 'order-6', 'done');
SELECT arbiter.redact('shop', 'order-6', 3, 'request 23');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-6', 6, 'all');
SELECT * FROM shop.told('order-6');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('order-7', 0, '$closed', '{}');
\echo :SQLSTATE
ALTER TABLE shop.events DROP COLUMN note;
-- A trigger that makes something else of the closing event.
CREATE FUNCTION shop.rename() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.type := 'Renamed'; RETURN NEW; END$$;
CREATE TRIGGER zz BEFORE INSERT ON shop.events FOR EACH ROW WHEN (NEW.type OPERATOR(pg_catalog.=) '$closed') EXECUTE FUNCTION shop.rename();
SELECT arbiter.append('shop', 'order-renamed', -1, 'Noted', '{}');
SELECT arbiter.close_stream('shop', 'order-renamed', 'done');
\echo :SQLSTATE
SELECT revision, type FROM arbiter.read_stream('shop', 'order-renamed');
DROP TRIGGER zz ON shop.events;
DROP FUNCTION shop.rename();

-- Arguments.
SELECT arbiter.close_stream('shop', 'order-3', NULL);
\echo :SQLSTATE
SELECT arbiter.close_stream('shop', 'order-3', '');
\echo :SQLSTATE
SELECT arbiter.close_stream('shop', '', 'x');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-3', NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('shop', 'order-3', 1, '');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-3', NULL, 'x');
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.close_stream('shop', 'order-3', 'x');
\echo :SQLSTATE
ROLLBACK;
-- Undone with the savepoint.
BEGIN;
SAVEPOINT s;
SELECT arbiter.truncate_stream('shop', 'order-3', 2, 'x');
ROLLBACK TO s;
SELECT pg_catalog.count(*) FROM arbiter.read_stream('shop', 'order-3');
DELETE FROM shop.events;
\echo :SQLSTATE
ROLLBACK;
-- In every isolation level.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT arbiter.truncate_stream('shop', 'order-3', 1, 'x'), arbiter.redact('shop', 'order-3', 2, 'x'), arbiter.close_stream('shop', 'order-3', 'x');
COMMIT;

-- Rights are those on the table: closing takes INSERT, truncating DELETE, redacting UPDATE besides.
SELECT shop.fill('order-8', 3);
CREATE ROLE regress_archivist;
GRANT USAGE ON SCHEMA arbiter, shop TO regress_archivist;
GRANT SELECT, INSERT ON shop.events TO regress_archivist;
SET ROLE regress_archivist;
SELECT arbiter.truncate_stream('shop', 'order-8', 1, 'x');
\echo :SQLSTATE
SELECT arbiter.redact('shop', 'order-8', 1, 'x');
\echo :SQLSTATE
RESET ROLE;
GRANT DELETE ON shop.events TO regress_archivist;
SET ROLE regress_archivist;
SELECT arbiter.truncate_stream('shop', 'order-8', 1, 'x');
SELECT arbiter.redact('shop', 'order-8', 1, 'x');
\echo :SQLSTATE
RESET ROLE;
GRANT UPDATE ON shop.events TO regress_archivist;
SET ROLE regress_archivist;
SELECT arbiter.redact('shop', 'order-8', 1, 'x');
SELECT arbiter.close_stream('shop', 'order-8', 'x');
SELECT data OPERATOR(pg_catalog.->>) 'current_user' AS by_role, data OPERATOR(pg_catalog.->>) 'session_user' = SESSION_USER AS by_session FROM arbiter.last_event('shop', 'order-8');
DELETE FROM shop.events;
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE shop.events ENABLE ROW LEVEL SECURITY;
CREATE POLICY recent ON shop.events TO regress_archivist USING (revision > 1);
SET ROLE regress_archivist;
SELECT arbiter.truncate_stream('shop', 'order-8', 2, 'x');
\echo :SQLSTATE
RESET ROLE;

SET client_min_messages = warning;
SELECT arbiter.drop_store('shop', force => true);
DROP SCHEMA shop CASCADE;
REVOKE USAGE ON SCHEMA arbiter FROM regress_archivist;
DROP ROLE regress_archivist;
