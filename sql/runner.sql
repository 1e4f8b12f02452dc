-- Projections that are run here: handlers, what fails, what is stepped over, whose rights count.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('run');
CREATE SCHEMA app;
CREATE TABLE app.seen (name pg_catalog.text, stream pg_catalog.text, revision pg_catalog.int8, n pg_catalog.int4,
                       PRIMARY KEY (name, stream, revision));
CREATE FUNCTION app.one(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen VALUES (''one'', event.stream, event.revision, (event.data OPERATOR(pg_catalog.->>) ''n'')::pg_catalog.int4)';
CREATE FUNCTION app.many(events arbiter.recorded_event[]) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen SELECT ''many'', e.stream, e.revision, (e.data OPERATOR(pg_catalog.->>) ''n'')::pg_catalog.int4
          FROM pg_catalog.unnest(events) AS e';
CREATE FUNCTION app.as_json(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN INSERT INTO app.seen VALUES (''json'', event OPERATOR(pg_catalog.->>) ''stream'', (event OPERATOR(pg_catalog.->>) ''revision'')::pg_catalog.int8,
            (event OPERATOR(pg_catalog.->) ''data'' OPERATOR(pg_catalog.->>) ''n'')::pg_catalog.int4); END';
CREATE FUNCTION app.seen(of pg_catalog.text, OUT stream pg_catalog.text, OUT events pg_catalog.int8, OUT last pg_catalog.int8)
    RETURNS SETOF pg_catalog.record LANGUAGE sql
    AS 'SELECT s.stream, pg_catalog.count(*), pg_catalog.max(s.revision) FROM app.seen AS s WHERE s.name OPERATOR(pg_catalog.=) $1
         GROUP BY s.stream ORDER BY s.stream';
-- the events of a stream, one of them perhaps such that a handler refuses it
CREATE FUNCTION app.fill(stream pg_catalog.text, events pg_catalog.int4, bad pg_catalog.int4) RETURNS pg_catalog.int8 LANGUAGE sql
    AS 'SELECT arbiter.append_events(''run'', stream, -2, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''type'', ''Counted'',
            ''data'', pg_catalog.jsonb_build_object(''n'', CASE WHEN n OPERATOR(pg_catalog.=) bad THEN ''x'' ELSE n::pg_catalog.text END))))
          FROM pg_catalog.generate_series(0, events OPERATOR(pg_catalog.-) 1) AS n';
CREATE FUNCTION app.make_due() RETURNS pg_catalog.void LANGUAGE sql
    AS 'UPDATE run.failed_events SET next_attempt_at = pg_catalog.clock_timestamp()';
CREATE FUNCTION app.put_off() RETURNS pg_catalog.void LANGUAGE sql
    AS 'UPDATE run.failed_events SET next_attempt_at = ''infinity'' WHERE passed_at IS NULL';

-- what a handler may be
SELECT arbiter.create_projection('run', 'p', 'transactional', 'app.nothing');
\echo :SQLSTATE
CREATE FUNCTION app.answers(event pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql AS 'SELECT event';
SELECT arbiter.create_projection('run', 'p', 'transactional', 'app.answers');
\echo :SQLSTATE
CREATE FUNCTION app.twice(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION app.twice(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE sql AS 'SELECT';
SELECT arbiter.create_projection('run', 'p', 'transactional', 'app.twice');
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'p', 'transactional', 'app.one', types => ARRAY['Counted']);
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'p', 'async', 'app.one');
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'p', 'async', 'app.one', reconciler => 'app.missing', reconcile_every => '1 day');
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'p', 'async', 'app.one', reconciler => 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'one', 'transactional', 'app.one');
SELECT arbiter.create_projection('run', 'one', 'transactional', 'app.one');
SELECT arbiter.create_projection('run', 'one', 'transactional', 'app.many');
\echo :SQLSTATE
SELECT arbiter.create_projection('run', 'many', 'transactional', 'app.many');
SELECT arbiter.create_projection('run', 'json', 'transactional', 'app.as_json');
SELECT arbiter.create_projection('run', 'outside', 'external');
SELECT p.projection, p.handler FROM run.projections AS p ORDER BY p.projection;

-- an empty store
SELECT * FROM arbiter.run_projection('run', 'one');
-- each event once, whatever the form; what is run again is idle
SELECT app.fill('a-1', 4, -1), app.fill('a-2', 3, -1), app.fill('a-1', 2, -1);
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT * FROM arbiter.run_projection('run', 'many');
SELECT * FROM arbiter.run_projection('run', 'json', 2);
SELECT * FROM arbiter.run_projection('run', 'json', 7);
SELECT * FROM arbiter.run_projection('run', 'json');
SELECT * FROM app.seen('one');
SELECT * FROM app.seen('many');
SELECT * FROM app.seen('json');
SELECT o.projection, o.entity, o.revision FROM run.offsets AS o ORDER BY o.projection, o.entity;
SELECT c.ctid AS before FROM run.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) 'one' \gset
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT c.ctid OPERATOR(pg_catalog.=) :'before' AS idle_writes_nothing FROM run.projection_cursors AS c
 WHERE c.projection OPERATOR(pg_catalog.=) 'one';
-- an event of this very transaction can still be taken back
BEGIN;
SELECT app.fill('a-3', 1, -1);
SELECT * FROM arbiter.run_projection('run', 'one');
ROLLBACK;
-- what was taken back is no lag
SELECT s.projection, s.lag_events, s.lag_seconds, s.held_back FROM run.projection_status AS s ORDER BY s.projection;
-- the effect and the offset go together
BEGIN;
SELECT app.fill('a-3', 1, -1);
COMMIT;
BEGIN;
SELECT * FROM arbiter.run_projection('run', 'one');
ROLLBACK;
SELECT s.lag_events FROM run.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'one';
SELECT * FROM arbiter.run_projection('run', 'one');

-- event 40 of 150 fails: it holds its stream back, the others and the cursor go on
SELECT app.fill('b-1', 150, -1), app.fill('b-2', 150, 40), app.fill('b-3', 150, -1);
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT * FROM arbiter.run_projection('run', 'many');
SELECT * FROM app.seen('one');
SELECT arbiter.last_revision('run', 'one', 'b-2'), arbiter.last_revision('run', 'many', 'b-2');
SELECT f.projection, f.entity, f.revision, f.attempts, f.error, f.next_attempt_at OPERATOR(pg_catalog.>) f.last_failed_at AS later
  FROM run.failures AS f ORDER BY f.projection;
-- it is not due, and what comes later waits with it
SELECT app.put_off();
SELECT app.fill('b-2', 1, -1), app.fill('b-3', 1, -1);
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT s.lag_events, s.held_back FROM run.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'one';
-- again and again
SELECT app.make_due();
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT f.projection, f.attempts FROM run.failures AS f ORDER BY f.projection;
-- once the handler is mended, it goes on at 40, a few at a time
CREATE OR REPLACE FUNCTION app.one(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO app.seen VALUES (''one'', event.stream, event.revision, 0)';
SELECT app.make_due();
SELECT * FROM arbiter.run_projection('run', 'one', 50);
SELECT arbiter.last_revision('run', 'one', 'b-2');
SELECT pg_catalog.count(*) FROM run.failures AS f WHERE f.projection OPERATOR(pg_catalog.=) 'one';
-- until it has come to the cursor it is not mixed with what is new
SELECT app.fill('b-2', 1, -1);
SELECT * FROM arbiter.run_projection('run', 'one', 50);
SELECT * FROM arbiter.run_projection('run', 'one', 50);
SELECT arbiter.last_revision('run', 'one', 'b-2');
SELECT * FROM app.seen('one') AS s WHERE s.stream OPERATOR(pg_catalog.=) 'b-2';
SELECT pg_catalog.count(*) FROM run.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) 'one';

-- async: recorded, and passed after so many attempts
SELECT arbiter.create_projection('run', 'async', 'async', 'app.many', reconciler => 'external', reconcile_every => '1 day',
                                 category => 'b', max_attempts => 2);
DELETE FROM app.seen AS s WHERE s.name OPERATOR(pg_catalog.=) 'many';
SELECT * FROM arbiter.run_projection('run', 'async');
SELECT arbiter.last_revision('run', 'async', 'b-2');
SELECT app.make_due();
SELECT * FROM arbiter.run_projection('run', 'async');
SELECT arbiter.last_revision('run', 'async', 'b-2');
SELECT d.entity, d.revision, d.attempts, d.error FROM run.debts AS d;
SELECT pg_catalog.count(*) FROM run.failures AS f WHERE f.projection OPERATOR(pg_catalog.=) 'async';
SELECT s.debts, s.held_back, s.reconcile_overdue FROM run.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'async';
SELECT * FROM app.seen('many');

-- a filter that nothing passes: the cursor goes on, no offset is made
SELECT arbiter.create_projection('run', 'none', 'transactional', 'app.one', types => ARRAY['Nothing'], strict => false);
SELECT * FROM arbiter.run_projection('run', 'none', 10);
SELECT pg_catalog.count(*) FROM run.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) 'none';
-- of some types, of one category
SELECT arbiter.append('run', 'c-1', -2, t, '{"n": 1}') FROM pg_catalog.unnest(ARRAY['A', 'B', 'A', 'C', 'B']) AS t;
SELECT arbiter.append('run', 'd-1', -2, 'A', '{"n": 1}');
CREATE FUNCTION app.names(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN RAISE NOTICE ''% % %'', event.stream, event.revision, event.type; END';
SELECT arbiter.create_projection('run', 'some', 'transactional', 'app.names', types => ARRAY['A', 'C'], category => 'c', strict => false);
SELECT * FROM arbiter.run_projection('run', 'some');

-- what the log itself writes is stepped over, unless its type is named; so are holes and what was redacted
SELECT arbiter.create_projection('run', 'strict', 'transactional', 'app.names', category => 'e');
SELECT arbiter.create_projection('run', 'log', 'transactional', 'app.names', types => ARRAY['$redacted', '$truncated', '$closed'], strict => false);
SELECT arbiter.append('run', 'e-1', -2, 'A', '{"secret": 1}') FROM pg_catalog.generate_series(0, 4);
SELECT arbiter.redact('run', 'e-1', 2, 'a request');
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT arbiter.append('run', 'e-1', -2, 'A', '{}') FROM pg_catalog.generate_series(0, 2);
SELECT arbiter.truncate_stream('run', 'e-1', 7, 'not needed');
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT arbiter.close_stream('run', 'e-1', 'over');
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT arbiter.last_revision('run', 'strict', 'e-1');
SELECT * FROM arbiter.run_projection('run', 'log');
-- the event that failed is erased meanwhile: nothing holds its stream back any more
SELECT app.fill('e-2', 3, -1);
CREATE OR REPLACE FUNCTION app.names(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''broken''; END';
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT arbiter.redact('run', 'e-2', r, 'a request') FROM pg_catalog.generate_series(0, 1) AS r;
SELECT app.make_due();
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT f.revision, f.attempts FROM run.failures AS f WHERE f.projection OPERATOR(pg_catalog.=) 'strict';
SELECT arbiter.truncate_stream('run', 'e-2', 3, 'a request');
SELECT app.make_due();
SELECT * FROM arbiter.run_projection('run', 'strict');
SELECT arbiter.last_revision('run', 'strict', 'e-2');

-- an offset that somebody moved decides: what is applied is not applied again
SELECT app.fill('f-1', 3, -1);
SELECT arbiter.start_at('run', 'one', 'f-1', 2);
SELECT * FROM arbiter.run_projection('run', 'one');
SELECT * FROM app.seen('one') AS s WHERE s.stream OPERATOR(pg_catalog.=) 'f-1';

-- what is no event's fault
SELECT app.fill('g-1', 1, -1);
CREATE FUNCTION app.undecided(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN RAISE serialization_failure USING MESSAGE = ''run it again''; END';
SELECT arbiter.create_projection('run', 'a_broken', 'transactional', 'app.undecided');
SELECT * FROM arbiter.run_projection('run', 'a_broken');
\echo :SQLSTATE
DROP FUNCTION app.undecided(pg_catalog.jsonb);
SELECT * FROM arbiter.run_projection('run', 'a_broken');
\echo :SQLSTATE
SELECT pg_catalog.count(*) FROM run.failures AS f WHERE f.projection OPERATOR(pg_catalog.=) 'a_broken';

-- all of them, until they have caught up; one that cannot be run does not stop the others
SELECT app.fill('g-1', 2500, -1);
SELECT app.put_off();
CALL arbiter.run_projections('run');
SELECT s.projection, s.lag_events, s.held_back FROM run.projection_status AS s ORDER BY s.projection;
SELECT arbiter.drop_projection('run', 'a_broken');
SELECT app.make_due();
CALL arbiter.run_projections('run', 100);
SELECT f.projection, f.entity, f.revision, f.attempts FROM run.failures AS f ORDER BY f.projection, f.entity;
SELECT app.put_off();
SELECT c.xmin AS before FROM run.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) 'one' \gset
CALL arbiter.run_projections('run');
SELECT c.xmin OPERATOR(pg_catalog.=) :'before' AS idle_writes_nothing FROM run.projection_cursors AS c
 WHERE c.projection OPERATOR(pg_catalog.=) 'one';
-- in a transaction block it is one transaction
BEGIN;
SELECT app.fill('h-1', 1, -1);
COMMIT;
BEGIN;
CALL arbiter.run_projections('run');
ROLLBACK;
SELECT s.lag_events FROM run.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'one';
CALL arbiter.run_projections(NULL);
\echo :SQLSTATE
CALL arbiter.run_projections('nowhere');
\echo :SQLSTATE
CALL arbiter.run_projections('run', 0);
\echo :SQLSTATE

-- bad input
SELECT arbiter.run_projection(NULL, 'one');
\echo :SQLSTATE
SELECT arbiter.run_projection('nowhere', 'one');
\echo :SQLSTATE
SELECT arbiter.run_projection('run', NULL);
\echo :SQLSTATE
SELECT arbiter.run_projection('run', 'unknown');
\echo :SQLSTATE
SELECT arbiter.run_projection('run', 'outside');
\echo :SQLSTATE
SELECT arbiter.run_projection('run', 'one', 0);
\echo :SQLSTATE
SELECT arbiter.run_projection('run', 'one', NULL);
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.run_projection('run', 'one');
\echo :SQLSTATE
COMMIT;
-- cursors are moved by calls
UPDATE run.projection_cursors SET position = 0;
\echo :SQLSTATE
DELETE FROM run.projection_cursors;
\echo :SQLSTATE

-- a handler runs with the rights of the projection's owner, whoever runs it
CREATE ROLE runner_owner;
CREATE ROLE runner_guest;
GRANT USAGE ON SCHEMA arbiter TO runner_owner, runner_guest;
GRANT CREATE ON DATABASE :"DBNAME" TO runner_owner;
SET ROLE runner_owner;
SELECT arbiter.create_store('theirs');
CREATE TABLE theirs.ran_as (who pg_catalog.text);
CREATE FUNCTION theirs.tell(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql
    AS 'INSERT INTO theirs.ran_as VALUES (CURRENT_USER)';
SELECT arbiter.create_projection('theirs', 'tell', 'transactional', 'theirs.tell');
SELECT arbiter.append('theirs', 'a-1', -1, 'A', '{}');
GRANT USAGE ON SCHEMA theirs TO runner_guest;
GRANT SELECT ON theirs.projections TO runner_guest;
RESET ROLE;
SELECT * FROM arbiter.run_projection('theirs', 'tell');
SELECT * FROM theirs.ran_as;
-- it cannot get back at the superuser who runs it
SET ROLE runner_owner;
CREATE OR REPLACE FUNCTION theirs.tell(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN RESET ROLE; END';
SELECT arbiter.append('theirs', 'a-1', -2, 'A', '{}');
RESET ROLE;
SELECT * FROM arbiter.run_projection('theirs', 'tell');
SELECT f.error FROM theirs.failures AS f;
SET ROLE runner_owner;
CREATE FUNCTION theirs.later() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON theirs.ran_as DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION theirs.later();
CREATE OR REPLACE FUNCTION theirs.tell(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN SET SESSION work_mem = ''64kB''; INSERT INTO theirs.ran_as VALUES (CURRENT_USER); END';
UPDATE theirs.failed_events SET next_attempt_at = pg_catalog.clock_timestamp();
RESET ROLE;
SELECT * FROM arbiter.run_projection('theirs', 'tell');
SELECT f.error FROM theirs.failures AS f;
SET ROLE runner_owner;
UPDATE theirs.failed_events SET next_attempt_at = pg_catalog.clock_timestamp();
SELECT * FROM arbiter.run_projection('theirs', 'tell');
SELECT * FROM theirs.ran_as;
RESET work_mem;
DROP TRIGGER later ON theirs.ran_as;
-- nobody runs it who does not have its owner's rights
SET ROLE runner_guest;
SELECT arbiter.run_projection('theirs', 'tell');
\echo :SQLSTATE
-- nobody writes a projection in another's name
RESET ROLE;
GRANT SELECT, INSERT, UPDATE ON theirs.projections TO runner_guest;
SET ROLE runner_guest;
INSERT INTO theirs.projections (projection, kind, strict, max_attempts, handler, owner)
VALUES ('forged', 'transactional', true, 1, 'theirs.tell(pg_catalog.jsonb)', 'runner_owner');
\echo :SQLSTATE
UPDATE theirs.projections SET handler = 'pg_catalog.f(pg_catalog.jsonb)';
\echo :SQLSTATE
RESET ROLE;
-- nor does the owner of a store lend himself the rights of somebody else
\set VERBOSITY sqlstate
SELECT arbiter.create_projection('theirs', 'mine', 'transactional', 'app.as_json');
SET ROLE runner_owner;
ALTER TABLE theirs.projections DISABLE TRIGGER zz_arbiter_projections;
RESET ROLE;
SELECT CURRENT_USER AS superuser \gset
SET ROLE runner_owner;
UPDATE theirs.projections SET owner = :'superuser';
ALTER TABLE theirs.projections ENABLE TRIGGER zz_arbiter_projections;
RESET ROLE;
SELECT arbiter.run_projection('theirs', 'tell');
\set VERBOSITY default
-- nor does doctor lend him its caller's, whatever he puts in the place of what it reads
SET ROLE runner_owner;
CREATE FUNCTION theirs.told() RETURNS pg_catalog.bool LANGUAGE plpgsql
    AS 'BEGIN RAISE NOTICE ''asked by %'', CURRENT_USER; RETURN true; END';
ALTER VIEW theirs.failures RENAME TO real_failures;
CREATE VIEW theirs.failures AS SELECT 'all'::pg_catalog.text AS projection, '2026-01-01 00:00:00+00'::pg_catalog.timestamptz AS first_failed_at
 WHERE theirs.told();
RESET ROLE;
SELECT d.subject FROM arbiter.doctor('theirs') AS d;
SET ROLE runner_owner;
ALTER TABLE theirs.pools RENAME TO real_pools;
CREATE VIEW theirs.pools AS SELECT 'all'::pg_catalog.text AS pool WHERE theirs.told();
RESET ROLE;
SELECT d.subject FROM arbiter.doctor('theirs') AS d;
\echo :SQLSTATE
DROP VIEW theirs.pools;
ALTER TABLE theirs.real_pools RENAME TO pools;
DROP VIEW theirs.failures;
ALTER VIEW theirs.real_failures RENAME TO failures;

-- drop_projection
SELECT arbiter.drop_projection('run', 'none');
SELECT arbiter.drop_projection('run', 'one');
\echo :SQLSTATE
SELECT arbiter.drop_projection('run', 'one', true);
SELECT pg_catalog.count(*) FROM run.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) 'one';

\set VERBOSITY terse
SELECT arbiter.drop_store('theirs', true);
DROP SCHEMA theirs CASCADE;
REVOKE ALL ON SCHEMA arbiter FROM runner_owner, runner_guest;
REVOKE ALL ON DATABASE :"DBNAME" FROM runner_owner;
DROP ROLE runner_owner, runner_guest;
DROP SCHEMA app CASCADE;
SELECT arbiter.drop_store('run', true);
