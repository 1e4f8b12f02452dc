-- Projections without a handler: workers share them, stream by stream.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('work');
CREATE SCHEMA app;
CREATE FUNCTION app.fill(stream pg_catalog.text, events pg_catalog.int4) RETURNS pg_catalog.int8 LANGUAGE sql
    AS 'SELECT arbiter.append_events(''work'', stream, -2, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(''type'', ''T'', ''data'', ''{}''::pg_catalog.jsonb)))
          FROM pg_catalog.generate_series(1, events)';
CREATE FUNCTION app.advance(projection pg_catalog.text, entity pg_catalog.text, first pg_catalog.int8, last pg_catalog.int8)
    RETURNS SETOF pg_catalog.bool LANGUAGE sql
    AS 'SELECT arbiter.advance(''work'', projection, entity, r) FROM pg_catalog.generate_series(first, last) AS r';
CREATE FUNCTION app.make_due() RETURNS pg_catalog.void LANGUAGE sql
    AS 'UPDATE work.failed_events SET next_attempt_at = pg_catalog.clock_timestamp() WHERE passed_at IS NULL';
CREATE FUNCTION app.applies(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION app.missing(projection pg_catalog.text) RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb)
    LANGUAGE sql AS 'SELECT ''''::pg_catalog.text, 0::pg_catalog.int8, NULL::pg_catalog.jsonb WHERE false';

-- which projections workers may share
SELECT arbiter.create_projection('work', 'model', 'transactional');
SELECT arbiter.create_projection('work', 'mail', 'async');
\echo :SQLSTATE
SELECT arbiter.create_projection('work', 'mail', 'async', reconciler => 'app.missing', reconcile_every => '1 day');
\echo :SQLSTATE
SELECT arbiter.create_projection('work', 'mail', 'async', reconciler => 'external', reconcile_every => '1 day', max_attempts => 2);
SELECT arbiter.create_projection('work', 'handled', 'transactional', 'app.applies');
SELECT arbiter.create_projection('work', 'outside', 'external');
SELECT * FROM arbiter.next_events('work', 'handled');
\echo :SQLSTATE
SELECT * FROM arbiter.next_events('work', 'outside');
\echo :SQLSTATE
SELECT * FROM arbiter.run_projection('work', 'model');
\echo :SQLSTATE
SELECT * FROM arbiter.retry_failures('work', 'model');
\echo :SQLSTATE

-- transactional: whoever takes a stream has it to the end of the transaction
SELECT * FROM arbiter.next_events('work', 'model');
SELECT app.fill('a-1', 3), app.fill('a-2', 2), app.fill('a-1', 1);
BEGIN;
SELECT e.position, e.stream, e.revision, e.type, e.token FROM arbiter.next_events('work', 'model', 4) AS e;
SELECT app.advance('model', 'a-1', 0, 2), app.advance('model', 'a-2', 0, 0);
-- in the same transaction it goes on
SELECT e.position, e.stream, e.revision FROM arbiter.next_events('work', 'model') AS e;
ROLLBACK;
BEGIN;
SELECT e.position, e.stream, e.revision FROM arbiter.next_events('work', 'model') AS e;
SELECT app.advance('model', 'a-1', 0, 3);
SELECT app.advance('model', 'a-2', 0, 1);
COMMIT;
SELECT * FROM arbiter.next_events('work', 'model');
SELECT s.position, s.lag_events FROM work.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'model';
-- idle writes nothing
SELECT c.xmin AS before, c.xmax AS locked FROM work.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) 'model' \gset
SELECT * FROM arbiter.next_events('work', 'model');
SELECT c.xmin OPERATOR(pg_catalog.=) :'before' AND c.xmax OPERATOR(pg_catalog.=) :'locked' AS idle_writes_nothing
  FROM work.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) 'model';
-- an event that failed holds its stream back, and nothing else
SELECT app.fill('a-1', 2), app.fill('a-2', 2);
SELECT arbiter.fail_event('work', 'model', 'a-1', 4, 'no luck') IS NOT NULL AS later;
UPDATE work.failed_events SET next_attempt_at = 'infinity';
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'model') AS e;
SELECT app.make_due();
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'model') AS e;
SELECT arbiter.fail_event('work', 'model', 'a-1', 4, 'no luck', token => 1);
\echo :SQLSTATE

-- async: a token and a lease
SELECT * FROM arbiter.next_events('work', 'mail');
\echo :SQLSTATE
SELECT * FROM arbiter.next_events('work', 'mail', lease => '0');
\echo :SQLSTATE
SELECT * FROM arbiter.next_events('work', 'model', lease => '1 min');
\echo :SQLSTATE
SELECT pg_catalog.count(*), pg_catalog.min(e.token) AS token, pg_catalog.min(e.stream) AS stream
  FROM arbiter.next_events('work', 'mail', 3, '1 min') AS e \gset
SELECT :count AS events, :'stream' AS stream;
-- which keeps the others away from that stream
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'mail', 1, '1 min') AS e;
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'mail', 10, '1 min') AS e;
-- done, in order, each once; another token holds nothing (tokens are never the same)
\set VERBOSITY sqlstate
SELECT arbiter.done_event('work', 'mail', 'a-1', 0, 1);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'mail', 'a-1', 1, :token);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'mail', 'a-1', 0, :token);
SELECT arbiter.done_event('work', 'mail', 'a-1', 0, :token);
SELECT arbiter.done_event('work', 'mail', 'a-1', 1, :token);
SELECT arbiter.done_event('work', 'mail', 'a-1', 2, :token);
-- what was not handed out is not done, nor has it failed, though a projection that is not strict would let it pass
SELECT arbiter.create_projection('work', 'loose', 'async', reconciler => 'external', reconcile_every => '1 day', strict => false);
SELECT e.revision, e.token AS loose FROM arbiter.next_events('work', 'loose', 1, '1 min') AS e \gset
\set VERBOSITY default
SELECT arbiter.done_event('work', 'loose', 'a-1', 2, :loose);
\echo :SQLSTATE
SELECT arbiter.fail_event('work', 'loose', 'a-1', 2, 'never seen', token => :loose);
\echo :SQLSTATE
\set VERBOSITY sqlstate
SELECT arbiter.done_event('work', 'loose', 'a-1', :revision, :loose);
SELECT arbiter.drop_projection('work', 'loose', true);
-- told again after the stream was given back: nothing happens; more of it is not ours
SELECT arbiter.done_event('work', 'mail', 'a-1', 2, :token);
SELECT arbiter.done_event('work', 'mail', 'a-1', 3, :token);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'mail', 'a-9', 0, :token);
\echo :SQLSTATE
SELECT pg_catalog.count(*) AS events, pg_catalog.min(e.token) OPERATOR(pg_catalog.>) :token AS larger, pg_catalog.min(e.token) AS next
  FROM arbiter.next_events('work', 'mail', 10, '1 min') AS e \gset
SELECT :events AS events, :'larger' AS larger;
SELECT arbiter.done_event('work', 'mail', 'a-1', 3, :token);
\echo :SQLSTATE
-- what fails gives the stream back and waits; after max_attempts it is passed, and the reconciler owes it
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 421');
\echo :SQLSTATE
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 421', token => :token);
\echo :SQLSTATE
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 421', token => :next) IS NOT NULL AS later;
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 421', token => :next);
\echo :SQLSTATE
SELECT * FROM arbiter.next_events('work', 'mail', 10, '1 min');
SELECT app.make_due();
SELECT pg_catalog.count(*) AS events, pg_catalog.min(e.token) AS next FROM arbiter.next_events('work', 'mail', 10, '1 min') AS e \gset
SELECT :events AS events;
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 550', '{"to": "x"}', :next);
SELECT arbiter.fail_event('work', 'mail', 'a-1', 3, 'smtp: 550', '{"to": "x"}', :next);
SELECT d.entity, d.revision, d.attempts, d.error, d.event FROM work.debts AS d;
SELECT e.stream, e.revision, e.token AS next FROM arbiter.next_events('work', 'mail', 1, '1 min') AS e \gset
SELECT :'stream' AS stream, :revision AS revision;
-- the rest of its stream follows
SELECT arbiter.done_event('work', 'mail', 'a-1', 4, :next);

-- a lease that is up frees the stream; whoever had it may still be the first to say that it is done
SELECT pg_catalog.min(e.token) AS lapsed FROM arbiter.next_events('work', 'mail', 1, '1 microsecond') AS e \gset
SELECT arbiter.done_event('work', 'mail', 'a-1', 5, :lapsed);
SELECT app.fill('a-1', 1);
SELECT pg_catalog.min(e.token) AS lapsed FROM arbiter.next_events('work', 'mail', 1, '1 microsecond') AS e \gset
SELECT pg_catalog.min(e.token) AS next, pg_catalog.min(e.token) OPERATOR(pg_catalog.>) :lapsed AS larger
  FROM arbiter.next_events('work', 'mail', 1, '1 min') AS e \gset
SELECT :'larger' AS larger;
SELECT arbiter.done_event('work', 'mail', 'a-1', 6, :lapsed);
\echo :SQLSTATE
SELECT arbiter.fail_event('work', 'mail', 'a-1', 6, 'late', token => :lapsed);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'mail', 'a-1', 6, :next);
-- what the loser says of what is applied: it is lost all the same
SELECT arbiter.done_event('work', 'mail', 'a-1', 6, :lapsed);
\echo :SQLSTATE

\set VERBOSITY default
-- streams that keep the cursor back are set aside, and come back when they have caught up
SELECT arbiter.create_projection('work', 'far', 'transactional', category => 'b');
SELECT app.fill('b-0', 3), app.fill('b-1', 2500);
SELECT arbiter.fail_event('work', 'far', 'b-0', 0, 'no luck') IS NOT NULL AS later;
UPDATE work.failed_events SET next_attempt_at = 'infinity' WHERE passed_at IS NULL;
CREATE FUNCTION app.work(projection pg_catalog.text, max_count pg_catalog.int8) RETURNS pg_catalog.int8 LANGUAGE sql
    AS 'SELECT pg_catalog.count(*) FROM (SELECT arbiter.advance(''work'', projection, e.stream, e.revision)
          FROM arbiter.next_events(''work'', projection, max_count) AS e) AS w (new) WHERE new';
SELECT app.work('far', 1200);
SELECT s.entity FROM work.streams_set_aside AS s;
SELECT app.work('far', 1200);
SELECT s.entity FROM work.streams_set_aside AS s;
SELECT app.work('far', 1200);
SELECT app.work('far', 1200);
SELECT s.lag_events FROM work.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'far';
SELECT s.entity FROM work.streams_set_aside AS s;
CALL arbiter.wait_for_projection('work', 'far', 'b-0', 0, '0');
SELECT app.fill('b-0', 1);
SELECT app.work('far', 10);
SELECT app.make_due();
SELECT app.work('far', 2);
SELECT app.work('far', 10);
SELECT app.work('far', 10);
SELECT pg_catalog.count(*) FROM work.streams_set_aside AS s;
SELECT o.entity, o.revision FROM work.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) 'far' ORDER BY o.entity;
SELECT s.lag_events FROM work.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'far';

-- everything is handed out, also what the log has written; holes are stepped over; only the types that are wanted
SELECT arbiter.create_projection('work', 'all', 'transactional', category => 'c');
SELECT arbiter.create_projection('work', 'some', 'transactional', types => ARRAY['U'], category => 'c', strict => false);
SELECT app.fill('c-1', 3);
SELECT arbiter.redact('work', 'c-1', 1, 'a request');
SELECT arbiter.append('work', 'c-1', -2, 'U', '{}');
BEGIN;
SELECT e.stream, e.revision, e.type, e.metadata OPERATOR(pg_catalog.?) '$redacted' AS redacted FROM arbiter.next_events('work', 'all') AS e;
SELECT e.stream, e.revision, e.type FROM arbiter.next_events('work', 'some') AS e;
ROLLBACK;
SELECT arbiter.truncate_stream('work', 'c-1', 3, 'not needed');
SELECT app.work('all', 10), app.work('some', 10);
SELECT o.projection, o.revision FROM work.offsets AS o WHERE o.entity OPERATOR(pg_catalog.=) 'c-1' ORDER BY o.projection;

-- an event of this very transaction can still be taken back
BEGIN;
SELECT app.fill('c-2', 1);
SELECT e.stream FROM arbiter.next_events('work', 'all') AS e;
ROLLBACK;

-- the other calls
SELECT arbiter.pass_event('work', 'mail', 'a-2', 0, 'no');
\echo :SQLSTATE
SELECT arbiter.rebuild_projection('work', 'mail');
SELECT pg_catalog.count(*) FROM work.taken_streams AS t WHERE t.projection OPERATOR(pg_catalog.=) 'mail';
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'mail', 2, '1 min') AS e;
CALL arbiter.run_projections('work');
SELECT arbiter.drop_projection('work', 'mail', true);
SELECT t.projection FROM work.taken_streams AS t GROUP BY t.projection ORDER BY t.projection;

-- what is taken and set aside is moved by calls
UPDATE work.taken_streams SET lease_until = NULL;
\echo :SQLSTATE
DELETE FROM work.streams_set_aside;
\echo :SQLSTATE

-- whose rights count: those of the worker
CREATE ROLE worker_guest;
GRANT USAGE ON SCHEMA arbiter, work TO worker_guest;
GRANT SELECT ON work.projections, work.events, work.failed_events TO worker_guest;
GRANT SELECT, INSERT, UPDATE ON work.offsets, work.taken_streams TO worker_guest;
GRANT SELECT, UPDATE ON work.projection_cursors TO worker_guest;
SELECT app.fill('a-1', 1);
SET ROLE worker_guest;
SELECT e.stream FROM arbiter.next_events('work', 'model') AS e;
\echo :SQLSTATE
RESET ROLE;
GRANT SELECT, INSERT, DELETE ON work.streams_set_aside TO worker_guest;
SET ROLE worker_guest;
SELECT e.stream, e.revision FROM arbiter.next_events('work', 'model', 1) AS e;
RESET ROLE;
-- what there is to do cannot depend on who asks
ALTER TABLE work.events ENABLE ROW LEVEL SECURITY;
SET ROLE worker_guest;
SELECT arbiter.next_events('work', 'model', 1);
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE work.events DISABLE ROW LEVEL SECURITY;
ALTER TABLE work.taken_streams ENABLE ROW LEVEL SECURITY;
SET ROLE worker_guest;
SELECT arbiter.next_events('work', 'model', 1);
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE work.taken_streams DISABLE ROW LEVEL SECURITY;
DROP OWNED BY worker_guest;
DROP ROLE worker_guest;

-- bad input
SELECT arbiter.next_events(NULL, 'model');
\echo :SQLSTATE
SELECT arbiter.next_events('work', NULL);
\echo :SQLSTATE
SELECT arbiter.next_events('work', 'model', NULL);
\echo :SQLSTATE
SELECT arbiter.next_events('work', 'model', 0);
\echo :SQLSTATE
-- as many as there are
SELECT pg_catalog.count(*) OPERATOR(pg_catalog.>=) 0 AS counted FROM arbiter.next_events('work', 'model', 9223372036854775807);
SELECT arbiter.next_events('work', 'unknown');
\echo :SQLSTATE
SELECT arbiter.next_events('nowhere', 'model');
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'model', 'a-1', 0, 1);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'model', 'a-1', 0, NULL);
\echo :SQLSTATE
SELECT arbiter.done_event('work', 'unknown', 'a-1', 0, 1);
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.next_events('work', 'model');
\echo :SQLSTATE
COMMIT;
SELECT arbiter.drop_store('work', true);
\set VERBOSITY terse
DROP SCHEMA app CASCADE;
