-- The border between C++ and the server (src/pg/README.md), crossed by errors in every place there is.
-- Needs the test library, which tools/test installs; without it there is nothing to test.
\set SHOW_CONTEXT never
LOAD '$libdir/arbiter_test';
\if :ERROR
\quit
\endif
CREATE SCHEMA boundary;
CREATE TABLE boundary.t (n integer CONSTRAINT only_once UNIQUE);
CREATE TABLE boundary.written (n integer);
CREATE FUNCTION boundary.raise(place pg_catalog.text) RETURNS pg_catalog.void LANGUAGE C AS '$libdir/arbiter_test', 'test_raise';
CREATE FUNCTION boundary.state() RETURNS pg_catalog.text LANGUAGE C AS '$libdir/arbiter_test', 'test_state';
CREATE FUNCTION boundary.catch(place pg_catalog.text) RETURNS pg_catalog.text LANGUAGE C AS '$libdir/arbiter_test', 'test_catch';
CREATE FUNCTION boundary.attempt(place pg_catalog.text, throw_on boolean) RETURNS pg_catalog.text LANGUAGE C AS '$libdir/arbiter_test', 'test_attempt';
CREATE FUNCTION boundary.nest(depth bigint) RETURNS bigint LANGUAGE C AS '$libdir/arbiter_test', 'test_nest';
CREATE FUNCTION boundary.repeat(place pg_catalog.text, times bigint) RETURNS bigint LANGUAGE C AS '$libdir/arbiter_test', 'test_repeat';
SELECT boundary.state();

-- The client sees the error as it was raised, and the session goes on.
SELECT boundary.raise('every field');
\echo :SQLSTATE
SELECT boundary.state();
SELECT boundary.raise('nested calls');
\echo :SQLSTATE
SELECT boundary.raise('many frames');
\echo :SQLSTATE
SELECT boundary.raise('after catching');
\echo :SQLSTATE
SELECT boundary.raise('sql');
\echo :SQLSTATE
SELECT boundary.raise('sql syntax');
\echo :SQLSTATE
SELECT boundary.raise('sql constraint');
\echo :SQLSTATE
SELECT boundary.raise('saved plan');
\echo :SQLSTATE
SELECT boundary.raise('cursor');
\echo :SQLSTATE
SELECT boundary.raise('failure');
\echo :SQLSTATE
SELECT boundary.raise('bare failure');
\echo :SQLSTATE
SELECT boundary.raise('failure through a call');
\echo :SQLSTATE
SELECT boundary.raise('std::exception');
\echo :SQLSTATE
SELECT boundary.raise('int');
\echo :SQLSTATE
SELECT boundary.raise('operator new');
\echo :SQLSTATE
SELECT boundary.raise('bare bad_alloc');
\echo :SQLSTATE
SELECT boundary.raise('copy of the error');
\echo :SQLSTATE
\set VERBOSITY terse
SELECT boundary.raise('server memory');
\echo :SQLSTATE
\set VERBOSITY default
SELECT boundary.raise('warning');
\echo :SQLSTATE
SELECT boundary.state();
SET statement_timeout = '50ms';
SELECT boundary.raise('cancel');
\echo :SQLSTATE
RESET statement_timeout;
SELECT boundary.state();

-- Every field of an error survives, its context included, and the error is an ordinary one to plpgsql.
DO $$
DECLARE
    place pg_catalog.text;
    state pg_catalog.text; message pg_catalog.text; detail pg_catalog.text; hint pg_catalog.text;
    context pg_catalog.text; schema_ pg_catalog.text; table_ pg_catalog.text; column_ pg_catalog.text;
    type_ pg_catalog.text; constraint_ pg_catalog.text;
BEGIN
    FOREACH place IN ARRAY ARRAY['every field', 'sql', 'sql constraint', 'failure', 'int', 'operator new', 'copy of the error'] LOOP
        BEGIN
            PERFORM boundary.raise(place);
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
                hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, schema_ = SCHEMA_NAME, table_ = TABLE_NAME,
                column_ = COLUMN_NAME, type_ = PG_DATATYPE_NAME, constraint_ = CONSTRAINT_NAME;
            RAISE NOTICE '% | % | % | % | % | % | % | % | % | %', state, message, detail, hint, schema_, table_, column_,
                type_, constraint_, pg_catalog.replace(context, E'\n', ' / ');
        END;
    END LOOP;
END
$$;
SELECT boundary.state();

-- In C++ a server error arrives as an exception, with the server's stacks and memory context as they were.
SELECT place, boundary.catch(place)
  FROM pg_catalog.unnest(ARRAY['every field', 'nested calls', 'many frames', 'after catching', 'failure', 'failure through a call',
       'std::exception', 'int', 'operator new', 'bare bad_alloc', 'copy of the error', 'warning']) AS place;
SELECT boundary.state();

-- A subtransaction swallows a server error, with what was written under it; what is no server error passes.
SELECT place, boundary.attempt(place, false)
  FROM pg_catalog.unnest(ARRAY['every field', 'nested calls', 'many frames', 'sql', 'sql constraint', 'saved plan', 'cursor']) AS place;
SELECT pg_catalog.count(*) FROM boundary.written;
SELECT boundary.attempt('every field', true);
\echo :SQLSTATE
SELECT boundary.attempt('failure', false);
\echo :SQLSTATE
SELECT boundary.attempt('int', false);
\echo :SQLSTATE
BEGIN;
SELECT boundary.attempt('sql constraint', false);
SELECT boundary.attempt('sql', false);
INSERT INTO boundary.written VALUES (4);
SELECT boundary.attempt('warning', false);
SAVEPOINT s;
SELECT boundary.attempt('sql', true);
ROLLBACK TO s;
SELECT boundary.attempt('sql', false);
COMMIT;
SELECT n FROM boundary.written ORDER BY n;
SELECT boundary.nest(1), boundary.nest(20);
-- A cancel is an error like any other to a subtransaction.
SET statement_timeout = '50ms';
SELECT boundary.attempt('cancel', true);
\echo :SQLSTATE
RESET statement_timeout;
SELECT boundary.state();

-- A passage: one statement, of one kind, on one table, in this very (sub)transaction.
CREATE FUNCTION boundary.gate() RETURNS pg_catalog.trigger LANGUAGE C AS '$libdir/arbiter_test', 'test_gate';
CREATE FUNCTION boundary.pass(statement pg_catalog.text, lost boolean) RETURNS pg_catalog.void LANGUAGE C AS '$libdir/arbiter_test', 'test_pass';
CREATE TABLE boundary.other (n integer);
CREATE TRIGGER gate BEFORE UPDATE OR DELETE ON boundary.t FOR EACH STATEMENT EXECUTE FUNCTION boundary.gate();
CREATE TRIGGER gate BEFORE DELETE ON boundary.other FOR EACH STATEMENT EXECUTE FUNCTION boundary.gate();
DELETE FROM boundary.t;
SELECT boundary.pass('DELETE FROM boundary.t', false);
SELECT boundary.pass('UPDATE boundary.t SET n = 1', false);
SELECT boundary.pass('DELETE FROM boundary.other', false);
SELECT boundary.pass('DELETE FROM boundary.t; DELETE FROM boundary.t', false);
SELECT boundary.pass('SELECT 1', false);
DELETE FROM boundary.t;
SELECT boundary.pass('SELECT boundary.pass(''SELECT 1'', false); DELETE FROM boundary.t', false);
SELECT boundary.pass('DO $$ BEGIN DELETE FROM boundary.t; EXCEPTION WHEN division_by_zero THEN NULL; END $$; DELETE FROM boundary.t', false);
-- Where its destructor is jumped over, it ends with the (sub)transaction.
SELECT boundary.pass('SELECT 1/0', true);
DELETE FROM boundary.t;
SELECT boundary.pass('SELECT 1', true);
DELETE FROM boundary.t;
BEGIN;
SAVEPOINT s;
SELECT boundary.pass('SELECT 1', true);
RELEASE SAVEPOINT s;
SAVEPOINT s;
DELETE FROM boundary.t;
SELECT boundary.pass('SELECT 1', true);
ROLLBACK TO SAVEPOINT s;
DELETE FROM boundary.t;
COMMIT;

-- However often: neither the errors' copies nor anything else piles up.
SELECT boundary.repeat('every field', 100) + boundary.repeat('failure', 100);
CREATE TEMPORARY TABLE before AS SELECT pg_catalog.sum(total_bytes) AS bytes FROM pg_catalog.pg_backend_memory_contexts WHERE name ~ '^arbiter error';
SELECT boundary.repeat('every field', 100000), boundary.repeat('failure', 100000), boundary.repeat('operator new', 1000);
SELECT pg_catalog.sum(total_bytes) - (SELECT bytes FROM before) AS grown FROM pg_catalog.pg_backend_memory_contexts WHERE name ~ '^arbiter error';
SELECT boundary.state();
DROP TABLE before;
SET client_min_messages = warning;
DROP SCHEMA boundary CASCADE;
