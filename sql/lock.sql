-- The entity lock: what it holds, how long, what it refuses, and that it leaves nothing behind.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('locks');

-- alone in autocommit nothing would hold it
SELECT arbiter.lock_entity('a');
\echo :SQLSTATE
SELECT arbiter.lock_entity('b3f1c9a2-0000-4000-8000-000000000001'::pg_catalog.uuid);
\echo :SQLSTATE
SELECT arbiter.lock_entities(ARRAY['a', 'b']);
\echo :SQLSTATE
SELECT arbiter.try_lock_entity('a');
\echo :SQLSTATE
SELECT * FROM arbiter.lock_entity('a');
\echo :SQLSTATE
SELECT * FROM arbiter.load_stream('locks', 's');
\echo :SQLSTATE
PREPARE alone AS SELECT arbiter.lock_entity('a');
EXECUTE alone;
\echo :SQLSTATE
-- inside a function, a DO block, or a string of several statements more may follow
DO $do$ BEGIN PERFORM arbiter.lock_entity('a'); END $do$;
CREATE FUNCTION locks.work() RETURNS pg_catalog.int8 LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM arbiter.lock_entity('a');
    RETURN (SELECT pg_catalog.count(*) FROM arbiter.entity_locks);
END
$body$;
SELECT locks.work();
SELECT arbiter.lock_entity('a')\; SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;

-- what it shows, and that the same name is the same lock
BEGIN;
SELECT arbiter.lock_entity('b3f1c9a2-0000-4000-8000-00000000000A'::pg_catalog.uuid);
SELECT arbiter.lock_entity('b3f1c9a2-0000-4000-8000-00000000000a');
SELECT arbiter.try_lock_entity('b3f1c9a2-0000-4000-8000-00000000000a'::pg_catalog.uuid);
SELECT l.entity, l.key OPERATOR(pg_catalog.=) arbiter.entity_key('b3f1c9a2-0000-4000-8000-00000000000a') AS same_key,
       l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() AS mine, l.application,
       l.since OPERATOR(pg_catalog.=) pg_catalog.now() AS since_begin, l.waiting, l.gid
  FROM arbiter.entity_locks AS l;
COMMIT;
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;

-- many at once; the same twice; none
BEGIN;
SELECT arbiter.lock_entities(ARRAY['b', 'a', 'c', 'a']);
SELECT arbiter.lock_entities('{}');
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
-- the application's own advisory locks are another space
SELECT pg_catalog.pg_advisory_xact_lock(arbiter.entity_key('d'));
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
-- no unlock takes it away
SELECT pg_catalog.pg_advisory_unlock_all();
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
ROLLBACK;
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;

-- a savepoint takes with it what was locked after it
BEGIN;
SELECT arbiter.lock_entity('a');
SAVEPOINT s;
SELECT arbiter.lock_entity('b');
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
ROLLBACK TO s;
SELECT l.key OPERATOR(pg_catalog.=) arbiter.entity_key('a') AS only_a FROM arbiter.entity_locks AS l;
COMMIT;
BEGIN;
DO $do$
BEGIN
    PERFORM arbiter.lock_entity('a');
    RAISE EXCEPTION 'give up';
EXCEPTION WHEN OTHERS THEN
    NULL;
END
$do$;
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
COMMIT;

-- a prepared transaction keeps it, and is named; it is also what a lock can be refused for
BEGIN;
SELECT arbiter.lock_entity('a');
PREPARE TRANSACTION 'locks-1';
SELECT l.key OPERATOR(pg_catalog.=) arbiter.entity_key('a') AS a, l.pid, l.waiting, l.gid FROM arbiter.entity_locks AS l;
BEGIN;
SELECT arbiter.try_lock_entity('a');
SELECT arbiter.lock_entity('a', '0');
\echo :SQLSTATE
ROLLBACK;
BEGIN;
SELECT arbiter.lock_entities(ARRAY['z', 'a'], '20 ms');
\echo :SQLSTATE
ROLLBACK;

-- every setting is as before: after success, after a time-out, after a time-out that was caught, with SET LOCAL
SET lock_timeout = '7s';
BEGIN;
SELECT arbiter.lock_entity('b', '1 s');
SHOW lock_timeout;
SELECT arbiter.lock_entity('a', '10 ms');
\echo :SQLSTATE
ROLLBACK;
SHOW lock_timeout;
BEGIN;
SET LOCAL lock_timeout = '3s';
DO $do$
BEGIN
    PERFORM arbiter.lock_entity('a', '10 ms');
EXCEPTION WHEN lock_not_available THEN
    RAISE NOTICE 'caught: %, lock_timeout is %', SQLERRM, pg_catalog.current_setting('lock_timeout');
END
$do$;
SHOW lock_timeout;
SHOW statement_timeout;
COMMIT;
SHOW lock_timeout;
-- the shorter of the two holds
SET lock_timeout = '15ms';
BEGIN;
SELECT arbiter.lock_entity('a', '1 hour');
\echo :SQLSTATE
ROLLBACK;
RESET lock_timeout;
BEGIN;
SET LOCAL statement_timeout = '15ms';
SELECT arbiter.lock_entity('a', '1 hour');
\echo :SQLSTATE
ROLLBACK;
-- append(any) and load_stream lock the same name
BEGIN;
SELECT * FROM arbiter.load_stream('locks', 'a', timeout => '10 ms');
\echo :SQLSTATE
ROLLBACK;
ROLLBACK PREPARED 'locks-1';

-- load_stream: the events and the head, one row of nulls where there is nothing to show
SELECT arbiter.append('locks', 'order-1', -1, 'Placed', '{"n": 1}');
SELECT arbiter.append('locks', 'order-1', 0, 'Paid', '{"n": 2}');
BEGIN;
SELECT stream, revision, type, data, head FROM arbiter.load_stream('locks', 'order-1');
SELECT l.key OPERATOR(pg_catalog.=) arbiter.entity_key('order-1') AS locked FROM arbiter.entity_locks AS l;
COMMIT;
SELECT revision, type, head FROM arbiter.load_stream('locks', 'order-1', lock => false, from_revision => 1);
SELECT * FROM arbiter.load_stream('locks', 'order-1', lock => false, from_revision => 2);
SELECT * FROM arbiter.load_stream('locks', 'none', lock => false);
-- it sees what the calling statement's snapshot does not
WITH written AS (SELECT arbiter.append('locks', 'order-2', -1, 'Placed', '{}') AS revision)
SELECT l.revision, l.head FROM written AS w, arbiter.load_stream('locks', 'order-2', lock => w.revision IS NULL) AS l;
-- reading without the lock is for everybody
BEGIN READ ONLY;
SELECT head FROM arbiter.load_stream('locks', 'order-2', lock => false);
SELECT arbiter.lock_entity('order-2');
COMMIT;

-- bad input
BEGIN;
SAVEPOINT s;
SELECT arbiter.lock_entity(NULL::pg_catalog.text);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity(NULL::pg_catalog.uuid);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity('');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity('a', NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity('a', '-1 ms');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity('a', '1 month -31 days');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entity('a', '100000 years');
SELECT arbiter.lock_entity('a', '0.4 microseconds');
SELECT arbiter.lock_entities(NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entities(ARRAY['a', NULL]);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entities(ARRAY['a', '']);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entities(ARRAY['a'], NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.lock_entities(ARRAY['a'], '-1 s');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.try_lock_entity(NULL::pg_catalog.text);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.try_lock_entity('');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.entity_key(NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream(NULL, 's');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('nowhere', 's');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', '');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', 's', lock => NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', 's', timeout => NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', 's', timeout => '-1 s');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', 's', from_revision => NULL);
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.load_stream('locks', 's', from_revision => -1);
\echo :SQLSTATE
ROLLBACK;

-- names are bytes: nearly alike is not alike
BEGIN;
SELECT arbiter.lock_entities(ARRAY['a', 'A', ' a', 'a ', U&'\00E9', U&'e\0301', pg_catalog.repeat('x', 100000)]);
SELECT pg_catalog.count(*) FROM arbiter.entity_locks;
COMMIT;
-- 120 000 random names, no two with one key, and keys of either sign
SELECT pg_catalog.count(DISTINCT arbiter.entity_key(pg_catalog.gen_random_uuid()::pg_catalog.text)),
       pg_catalog.bool_or(arbiter.entity_key(i::pg_catalog.text) OPERATOR(pg_catalog.<) 0) AS negative,
       pg_catalog.bool_or(arbiter.entity_key(i::pg_catalog.text) OPERATOR(pg_catalog.>) 0) AS positive
  FROM pg_catalog.generate_series(1, 120000) AS i;

SELECT arbiter.drop_store('locks', true);
DROP SCHEMA locks CASCADE;
