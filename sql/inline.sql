-- Inline projections: the effect is in the writer's transaction, whoever the writer is.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SELECT arbiter.create_store('direct');
CREATE SCHEMA app;
CREATE TABLE app.seen (name pg_catalog.text, stream pg_catalog.text, revision pg_catalog.int8, type pg_catalog.text, who pg_catalog.name,
                       n pg_catalog.int8 GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (name, stream, revision));
CREATE FUNCTION app.one(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen VALUES (''one'', event.stream, event.revision, event.type, CURRENT_USER)';
CREATE FUNCTION app.many(events arbiter.recorded_event[]) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen SELECT ''many'', e.stream, e.revision, e.type, CURRENT_USER FROM pg_catalog.unnest(events) AS e';
CREATE FUNCTION app.as_json(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN INSERT INTO app.seen VALUES (''json'', event OPERATOR(pg_catalog.->>) ''stream'',
            (event OPERATOR(pg_catalog.->>) ''revision'')::pg_catalog.int8, event OPERATOR(pg_catalog.->>) ''type'', CURRENT_USER); END';
CREATE FUNCTION app.seen(of pg_catalog.text) RETURNS TABLE (stream pg_catalog.text, revisions pg_catalog.text) LANGUAGE sql
    AS 'SELECT s.stream, pg_catalog.string_agg(s.revision::pg_catalog.text, '' '' ORDER BY s.n) FROM app.seen AS s
         WHERE s.name OPERATOR(pg_catalog.=) $1 GROUP BY s.stream ORDER BY s.stream';
CREATE FUNCTION app.append(stream pg_catalog.text, type pg_catalog.text DEFAULT 'Noted', n pg_catalog.int4 DEFAULT 1) RETURNS pg_catalog.int8
    LANGUAGE sql AS 'SELECT arbiter.append_events(''direct'', stream, -2, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''type'', type,
            ''data'', pg_catalog.jsonb_build_object(''i'', i)))) FROM pg_catalog.generate_series(1, n) AS i';

-- what it may be
SELECT arbiter.create_projection('direct', 'one', 'inline');
\echo :SQLSTATE
SELECT arbiter.create_projection('direct', 'one', 'inline', 'app.one', reconciler => 'external', reconcile_every => '1 day');
\echo :SQLSTATE

-- on a store with events: what is there comes first, as if it had always been there
SELECT app.append('a-1', n => 2), app.append('b-1');
SELECT arbiter.create_projection('direct', 'one', 'inline', 'app.one');
SELECT * FROM app.seen('one');
SELECT t.tgname FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid OPERATOR(pg_catalog.=) 'direct.events'::pg_catalog.regclass ORDER BY t.tgname;
-- the same again; another one; the same transaction's events
SELECT arbiter.create_projection('direct', 'one', 'inline', 'app.one');
SELECT arbiter.create_projection('direct', 'one', 'inline', 'app.many');
\echo :SQLSTATE
BEGIN;
SELECT app.append('a-1');
SELECT arbiter.create_projection('direct', 'many', 'inline', 'app.many');
SELECT app.append('a-1');
COMMIT;
SELECT arbiter.create_projection('direct', 'json', 'inline', 'app.as_json', category => 'b');
SELECT * FROM app.seen('one');
SELECT * FROM app.seen('many');
SELECT * FROM app.seen('json');
SELECT arbiter.last_revision('direct', 'one', 'a-1'), arbiter.last_revision('direct', 'json', 'a-1'), arbiter.last_revision('direct', 'json', 'b-1');

-- every way to write
SELECT arbiter.append_streams('direct', '[{"stream": "b-1", "expected": 0, "events": [{"type": "Noted", "data": {}}]},
    {"stream": "a-2", "expected": -1, "events": [{"type": "Noted", "data": {}}, {"type": "Noted", "data": {}}]}]');
INSERT INTO direct.events (stream, revision, type, data) VALUES ('b-1', 2, 'Noted', '{}'), ('b-2', 0, 'Noted', '{}'), ('b-1', 3, 'Noted', '{}');
COPY direct.events (stream, revision, type, data) FROM stdin;
b-2	1	Noted	{}
b-2	2	Noted	{}
\.
SELECT * FROM app.seen('one');
SELECT * FROM app.seen('json');
-- its effect is there before the writer commits, and goes with what he takes back
BEGIN;
SAVEPOINT s;
SELECT app.append('c-1');
SELECT pg_catalog.count(*) FROM app.seen AS s WHERE s.stream OPERATOR(pg_catalog.=) 'c-1';
ROLLBACK TO s;
SELECT pg_catalog.count(*) FROM app.seen AS s WHERE s.stream OPERATOR(pg_catalog.=) 'c-1';
SELECT app.append('c-1');
COMMIT;
SELECT s.name, s.revision FROM app.seen AS s WHERE s.stream OPERATOR(pg_catalog.=) 'c-1' ORDER BY s.name;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT app.append('c-1', n => 2);
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT app.append('c-1');
COMMIT;
SELECT arbiter.last_revision('direct', 'one', 'c-1');

-- what a handler raises is the writer's error, and nothing has happened
CREATE FUNCTION app.picky(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN IF event.type OPERATOR(pg_catalog.=) ''Bad'' THEN RAISE ''no'' USING ERRCODE = ''UX001''; END IF; END';
SELECT arbiter.create_projection('direct', 'picky', 'inline', 'app.picky', types => ARRAY['Bad', 'Good'], strict => false);
SELECT app.append('d-1', 'Bad');
\echo :SQLSTATE
INSERT INTO direct.events (stream, revision, type, data) VALUES ('d-1', 0, 'Good', '{}'), ('d-1', 1, 'Bad', '{}');
\echo :SQLSTATE
SELECT arbiter.stream_revision('direct', 'd-1'), arbiter.last_revision('direct', 'picky', 'd-1'), arbiter.last_revision('direct', 'one', 'd-1');
SELECT app.append('d-1', 'Good'), app.append('d-1', 'Other', 3), app.append('d-1', 'Good');
SELECT arbiter.last_revision('direct', 'picky', 'd-1'), arbiter.last_revision('direct', 'one', 'd-1');
-- so is a 23505 of its own, which is no lost race
INSERT INTO app.seen VALUES ('one', 'd-2', 0, 'forged', 'nobody');
SELECT app.append('d-2');
\echo :SQLSTATE
-- an existing log cannot be taken in: there is no projection then
SELECT app.append('d-3', 'Good');
CREATE FUNCTION app.refuses(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql AS 'BEGIN RAISE ''never''; END';
SELECT arbiter.create_projection('direct', 'refuses', 'inline', 'app.refuses');
SELECT pg_catalog.count(*) FROM direct.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) 'refuses';

-- what the log itself writes is shown to who names it; what was redacted to nobody
CREATE FUNCTION app.own(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen VALUES (''own'', event.stream, event.revision, event.type, CURRENT_USER)';
SELECT arbiter.create_projection('direct', 'own', 'inline', 'app.own', types => ARRAY['$redacted', '$truncated', '$closed'], strict => false);
SELECT app.append('e-1', n => 4);
SELECT arbiter.redact('direct', 'e-1', 3, 'asked to'), arbiter.truncate_stream('direct', 'e-1', 2, 'old'), arbiter.close_stream('direct', 'e-1', 'done');
SELECT s.name, s.revision, s.type FROM app.seen AS s WHERE s.stream OPERATOR(pg_catalog.=) 'e-1' ORDER BY s.name, s.revision;
SELECT arbiter.last_revision('direct', 'one', 'e-1');
-- the offset is at the head of every stream that it is shown
SELECT e.stream FROM direct.events AS e LEFT JOIN direct.offsets AS o ON o.projection OPERATOR(pg_catalog.=) 'one' AND o.entity OPERATOR(pg_catalog.=) e.stream
 GROUP BY e.stream, o.revision HAVING pg_catalog.max(e.revision) IS DISTINCT FROM o.revision;

-- there is nothing to run; a reader of his own write need not wait
SELECT * FROM arbiter.run_projection('direct', 'one');
\echo :SQLSTATE
SELECT * FROM arbiter.retry_failures('direct', 'one');
\echo :SQLSTATE
CALL arbiter.run_projections('direct');
CALL arbiter.wait_for_projection('direct', 'json', 'a-1', 0);
CALL arbiter.wait_for_projection('direct', 'one', 'e-1', 99, '0');
-- all of it again
BEGIN;
LOCK TABLE direct.events IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM app.seen AS s WHERE s.name OPERATOR(pg_catalog.=) 'many';
SELECT arbiter.rebuild_projection('direct', 'many');
COMMIT;
SELECT * FROM app.seen('many');
SELECT app.append('a-1');
SELECT arbiter.last_revision('direct', 'many', 'a-1');
-- without emptying, its own key refuses
SELECT arbiter.rebuild_projection('direct', 'many');
\echo :SQLSTATE
-- an empty store
SELECT arbiter.create_store('empty');
SELECT arbiter.create_projection('empty', 'many', 'inline', 'app.many');
SELECT arbiter.rebuild_projection('empty', 'many');
SELECT arbiter.drop_store('empty');

-- the last one takes the trigger along, and the log is written as before
SELECT arbiter.drop_projection('direct', 'one');
\echo :SQLSTATE
SELECT arbiter.drop_projection('direct', p, true) FROM pg_catalog.unnest(ARRAY['json', 'many', 'own', 'picky']) AS p;
SELECT t.tgname FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid OPERATOR(pg_catalog.=) 'direct.events'::pg_catalog.regclass ORDER BY t.tgname;
SELECT arbiter.drop_projection('direct', 'one', true);
SELECT t.tgname FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid OPERATOR(pg_catalog.=) 'direct.events'::pg_catalog.regclass ORDER BY t.tgname;
SELECT app.append('a-1');
TRUNCATE app.seen;

-- a handler that appends: to another stream, to its own
SELECT arbiter.drop_store('direct', true);
SELECT arbiter.create_store('direct');
CREATE FUNCTION app.echoes(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO app.seen VALUES ('echoes', event.stream, event.revision, event.type, CURRENT_USER);
    IF event.type OPERATOR(pg_catalog.=) 'Called' THEN
        PERFORM arbiter.append('direct', event.stream, -2, 'Echoed', '{}');
        PERFORM arbiter.append('direct', pg_catalog.concat('copy-', event.stream), -2, 'Copied', '{}');
    END IF;
END $$;
SELECT arbiter.create_projection('direct', 'echoes', 'inline', 'app.echoes', strict => false);
SELECT arbiter.create_projection('direct', 'strict', 'inline', 'app.many');
SELECT arbiter.append('direct', 'x-1', -1, 'Called', '{}');
SELECT * FROM app.seen('echoes');
-- where several rows come in one statement, an echo of the first is shown after the others: none is passed over
INSERT INTO direct.events (stream, revision, type, data) VALUES ('x-2', 0, 'Called', '{}'), ('x-2', 1, 'Called', '{}'), ('x-2', 2, 'Noted', '{}');
SELECT e.revision, e.type FROM direct.events AS e WHERE e.stream OPERATOR(pg_catalog.=) 'x-2' ORDER BY e.revision;
SELECT * FROM app.seen('echoes');
SELECT * FROM app.seen('many');
-- several events of one append, of which the handler takes the next revision
SELECT arbiter.append_events('direct', 'x-3', -1, '[{"type": "Called", "data": {}}, {"type": "Noted", "data": {}}]');
\echo :SQLSTATE
SELECT arbiter.stream_revision('direct', 'x-3');

-- a history that is brought along is applied
CREATE TABLE app.history AS SELECT e.* FROM direct.events AS e;
SELECT arbiter.drop_projection('direct', 'echoes', true), arbiter.drop_projection('direct', 'strict', true);
SELECT arbiter.drop_store('direct', true);
SELECT arbiter.create_store('direct');
TRUNCATE app.seen;
SELECT arbiter.create_projection('direct', 'one', 'inline', 'app.one');
SELECT arbiter.import_events('direct', 'app.history');
SELECT * FROM app.seen('one');

-- whose rights count: the owner's; a writer needs none but those to write
CREATE ROLE inline_writer;
GRANT USAGE ON SCHEMA direct, arbiter TO inline_writer;
GRANT SELECT, INSERT ON direct.events TO inline_writer;
GRANT USAGE ON direct.events_position TO inline_writer;
GRANT SELECT ON direct.arbiter_store TO inline_writer;
SET ROLE inline_writer;
INSERT INTO direct.events (stream, revision, type, data) VALUES ('w-1', 0, 'Noted', '{}');
SELECT arbiter.append('direct', 'w-1', 0, 'Noted', '{}');
SELECT pg_catalog.count(*) FROM app.seen;
\echo :SQLSTATE
RESET ROLE;
SELECT s.stream, s.revision, s.who OPERATOR(pg_catalog.=) CURRENT_USER AS owners FROM app.seen AS s WHERE s.stream OPERATOR(pg_catalog.=) 'w-1' ORDER BY s.revision;
-- nobody else makes one or drops it
GRANT SELECT, INSERT, UPDATE, DELETE ON direct.projections, direct.offsets, direct.failed_events, direct.projection_cursors, direct.reconciliations, direct.resolutions TO inline_writer;
SET ROLE inline_writer;
INSERT INTO direct.projections (projection, kind, strict, max_attempts, handler) VALUES ('forged', 'inline', true, 1, 'app.one(arbiter.recorded_event)');
\echo :SQLSTATE
SELECT arbiter.drop_projection('direct', 'one', true);
\echo :SQLSTATE
\set VERBOSITY sqlstate
SELECT arbiter.rebuild_projection('direct', 'one');
\set VERBOSITY default
RESET ROLE;

-- a store without the trigger takes no event that would not be shown
ALTER TABLE direct.events DISABLE TRIGGER zz_arbiter_inline;
SELECT app.append('w-1');
\echo :SQLSTATE
INSERT INTO direct.events (stream, revision, type, data) VALUES ('w-1', 2, 'Noted', '{}');
\echo :SQLSTATE
SELECT s.armed FROM arbiter.stores AS s WHERE s.name OPERATOR(pg_catalog.=) 'direct';
SELECT arbiter.upgrade_store('direct');
DROP TRIGGER zz_arbiter_inline ON direct.events;
SELECT app.append('w-1');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('direct');
SELECT app.append('w-1');
SELECT arbiter.last_revision('direct', 'one', 'w-1');
-- a handler that is gone stops the writers
DROP FUNCTION app.one(arbiter.recorded_event);
SELECT app.append('w-1');
\echo :SQLSTATE

DROP OWNED BY inline_writer;
DROP ROLE inline_writer;
SELECT arbiter.drop_store('direct', true);
DROP SCHEMA app CASCADE;
