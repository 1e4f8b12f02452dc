-- Sweeps: what a definition must be, which rows are found, what one run does, and what rests.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('mill');
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'Pending', '[
    {"from": ["Pending"], "command": "finalize", "to": "Finalized", "event": "BatchFinalized"},
    {"from": ["Pending"], "command": "fail", "to": "Failed", "event": "BatchFailed"}]');
CREATE TABLE public.batch (
    id pg_catalog.int4 PRIMARY KEY,
    "due At" pg_catalog.int4 NOT NULL,
    closed pg_catalog.bool NOT NULL DEFAULT false);
INSERT INTO public.batch SELECT n, 100 OPERATOR(pg_catalog.-) n FROM pg_catalog.generate_series(1, 12) AS n;

-- create_sweep: identical again is a no-op, another definition is told apart
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'id', 'NOT closed', '"due At" DESC, id', 'batch', 'finalize');
SELECT arbiter.create_sweep('mill', 'finalize', 'public.Batch', 'id', '(NOT ((closed)))', '"due At" desc ,ID', 'batch', 'finalize');
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'id', 'closed', 'id', 'batch', 'finalize');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'id', 'NOT closed', 'id', 'batch', 'finalize');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'id', 'NOT closed', '"due At" DESC, id', 'batch', 'fail');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'id', 'NOT closed', '"due At" DESC, id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch', 'due At', 'NOT closed', '"due At" DESC, id', 'batch', 'finalize');
\echo :SQLSTATE
CREATE TABLE public.batch2 (LIKE public.batch);
SELECT arbiter.create_sweep('mill', 'finalize', 'public.batch2', 'id', 'NOT closed', '"due At" DESC, id', 'batch', 'finalize');
\echo :SQLSTATE
DROP TABLE public.batch2;
SELECT sweep, relation, key, predicate, order_by, machine, command FROM mill.sweeps;

-- bad definitions
SELECT arbiter.create_sweep(NULL, 's', 'public.batch', 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', NULL, 'public.batch', 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', NULL, 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', NULL, 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', NULL, 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', NULL);
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', '', 'public.batch', 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', pg_catalog.repeat('s', 2000), 'public.batch', 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.nothing', 'id', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'pg_catalog.pg_class', 'relname', 'true', 'relname');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'number', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true; DROP TABLE public.batch', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true OR id IN (SELECT 1)', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'pg_catalog.random() OPERATOR(pg_catalog.<) 1', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'id; DROP TABLE public.batch');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'number');
\echo :SQLSTATE
ALTER TABLE public.batch ADD COLUMN note pg_catalog.json;
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'note', 'true', 'id');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'note');
\echo :SQLSTATE
ALTER TABLE public.batch DROP COLUMN note;
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'id', 'batch');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'id', 'lathe', 'turn');
\echo :SQLSTATE
SELECT arbiter.create_sweep('mill', 's', 'public.batch', 'id', 'true', 'id', 'batch', 'turn');
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'batch', force => true);
\echo :SQLSTATE

-- due_rows: in the sweep's order, never more than asked
SELECT * FROM arbiter.due_rows('mill', 'finalize', 3);
SELECT pg_catalog.count(*) FROM arbiter.due_rows('mill', 'finalize', 1000);
SELECT * FROM arbiter.due_rows('mill', 'finalize', 0);
\echo :SQLSTATE
SELECT * FROM arbiter.due_rows('mill', 'nothing', 1);
\echo :SQLSTATE
SELECT * FROM arbiter.due_rows('mill', 'finalize', NULL);
\echo :SQLSTATE

-- one run: done at most max_count; what came to nothing does not count, and rests
SELECT arbiter.append('mill', 'batch-1', -1, 'BatchFinalized', '{}');
SELECT arbiter.append('mill', 'batch-2', -1, 'BatchFailed', '{}');
CALL arbiter.run_sweep('mill', 'finalize', 2);
SELECT key, attempts, error, next_attempt_at OPERATOR(pg_catalog.>) pg_catalog.now() AS rests
  FROM mill.sweep_rests ORDER BY key;
SELECT stream, type FROM mill.events ORDER BY position;
UPDATE mill.sweep_rests SET next_attempt_at = next_attempt_at OPERATOR(pg_catalog.+) '1 hour'::pg_catalog.interval;
-- the read model has not noticed yet, so what was done is left alone for a moment too
SELECT * FROM arbiter.due_rows('mill', 'finalize', 2);
CALL arbiter.run_sweep('mill', 'finalize', 100);
UPDATE mill.sweep_rests SET next_attempt_at = next_attempt_at OPERATOR(pg_catalog.+) '1 hour'::pg_catalog.interval;
-- each row is tried once in a run, and now all rest
CALL arbiter.run_sweep('mill', 'finalize', 100);
SELECT pg_catalog.count(*) FROM mill.events;
-- with each time that came to nothing the rest grows
UPDATE mill.sweep_rests SET next_attempt_at = pg_catalog.clock_timestamp();
CALL arbiter.run_sweep('mill', 'finalize', 100);
SELECT key, attempts, error FROM mill.sweep_rests WHERE key OPERATOR(pg_catalog.=) '1' OR key OPERATOR(pg_catalog.=) '2' ORDER BY key;
-- rests of rows that are not due any more are forgotten after a day
UPDATE mill.sweep_rests SET next_attempt_at = pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '2 days'::pg_catalog.interval;
UPDATE public.batch SET closed = true;
CALL arbiter.run_sweep('mill', 'finalize', 100);
SELECT pg_catalog.count(*) FROM mill.sweep_rests;

-- n + 1 poison rows at the head, max_count n: all the others are done within two runs
DELETE FROM public.batch;
INSERT INTO public.batch SELECT n, CASE WHEN n OPERATOR(pg_catalog.<=) 106 THEN 1000 ELSE 1 END
  FROM pg_catalog.generate_series(101, 115) AS n;
SELECT pg_catalog.count(arbiter.append('mill', arbiter.stream_name('batch', n::pg_catalog.text), -1, 'BatchFailed', '{}'))
  FROM pg_catalog.generate_series(101, 106) AS n;
CALL arbiter.run_sweep('mill', 'finalize', 5);
UPDATE mill.sweep_rests SET next_attempt_at = next_attempt_at OPERATOR(pg_catalog.+) '1 hour'::pg_catalog.interval;
CALL arbiter.run_sweep('mill', 'finalize', 5);
UPDATE mill.sweep_rests SET next_attempt_at = next_attempt_at OPERATOR(pg_catalog.+) '1 hour'::pg_catalog.interval;
SELECT pg_catalog.count(*) FROM mill.sweep_rests WHERE error IS NOT NULL;

-- a command for a row that was found, given after the finding transaction has ended, twice: the machine refuses the second
INSERT INTO public.batch VALUES (200, 1);
SELECT key AS found FROM arbiter.due_rows('mill', 'finalize', 1) AS key \gset
SELECT * FROM arbiter.transition('mill', 'batch', :'found', 'finalize');
SELECT * FROM arbiter.transition('mill', 'batch', :'found', 'fail');
\echo :SQLSTATE

-- inside a transaction block the block commits
INSERT INTO public.batch VALUES (201, 1), (202, 1);
BEGIN;
CALL arbiter.run_sweep('mill', 'finalize', 100);
SELECT pg_catalog.count(*) FROM mill.events WHERE stream OPERATOR(pg_catalog.=) 'batch-201';
ROLLBACK;
SELECT pg_catalog.count(*) FROM mill.events WHERE stream OPERATOR(pg_catalog.=) 'batch-201';
CALL arbiter.run_sweep('mill', 'finalize', 100);

-- an error of the command is the row's own and takes back what it wrote; keys of any length
CREATE TABLE public.note (name pg_catalog.text, done pg_catalog.bool);
INSERT INTO public.note VALUES ('a', false), (NULL, false), (pg_catalog.repeat('x', 5000), false), ('', false);
SELECT arbiter.create_sweep('mill', 'notes', 'public.note', 'name', 'done IS NOT TRUE', 'name NULLS FIRST', 'batch', 'finalize');
CALL arbiter.run_sweep('mill', 'notes', 100);
SELECT pg_catalog.length(key) AS length, attempts, error FROM mill.sweep_rests
 WHERE sweep OPERATOR(pg_catalog.=) 'notes' ORDER BY key;
UPDATE mill.sweep_rests SET next_attempt_at = next_attempt_at OPERATOR(pg_catalog.+) '1 hour'::pg_catalog.interval;
CALL arbiter.run_sweep('mill', 'notes', 100);
-- the table is gone, or the registry was written by hand
DROP TABLE public.note;
CALL arbiter.run_sweep('mill', 'notes', 100);
\echo :SQLSTATE
UPDATE mill.sweeps SET predicate = 'true) OR (true' WHERE sweep OPERATOR(pg_catalog.=) 'finalize';
CALL arbiter.run_sweep('mill', 'finalize', 100);
\echo :SQLSTATE
UPDATE mill.sweeps SET predicate = 'true', order_by = '(SELECT 1)' WHERE sweep OPERATOR(pg_catalog.=) 'finalize';
CALL arbiter.run_sweep('mill', 'finalize', 100);
\echo :SQLSTATE

-- without a machine the rows are for the application
SELECT arbiter.create_sweep('mill', 'by_hand', 'public.batch', 'id', 'id OPERATOR(pg_catalog.>) 200', 'id');
SELECT * FROM arbiter.due_rows('mill', 'by_hand', 10);
CALL arbiter.run_sweep('mill', 'by_hand', 10);
\echo :SQLSTATE
CALL arbiter.run_sweep('mill', 'by_hand', NULL);
\echo :SQLSTATE
CALL arbiter.run_sweep('mill', 'by_hand', -1);
\echo :SQLSTATE
CALL arbiter.run_sweep('mill', 'nothing', 1);
\echo :SQLSTATE
BEGIN READ ONLY;
CALL arbiter.run_sweep('mill', 'by_hand', 1);
\echo :SQLSTATE
ROLLBACK;

-- a key with a length
CREATE TABLE public.ticket (code pg_catalog.bpchar(5) PRIMARY KEY);
INSERT INTO public.ticket VALUES ('t1'), ('t22');
SELECT arbiter.create_sweep('mill', 'tickets', 'public.ticket', 'code', 'true', 'code', 'batch', 'finalize');
CALL arbiter.run_sweep('mill', 'tickets', 10);
SELECT arbiter.drop_sweep('mill', 'tickets');
DROP TABLE public.ticket;

-- drop_sweep
SELECT arbiter.drop_sweep('mill', 'nothing');
\echo :SQLSTATE
SELECT arbiter.drop_sweep('mill', NULL);
\echo :SQLSTATE
SELECT arbiter.drop_sweep('mill', 'finalize'), arbiter.drop_sweep('mill', 'notes'), arbiter.drop_sweep('mill', 'by_hand');
SELECT pg_catalog.count(*) FROM mill.sweep_rests;
DROP TABLE public.batch;
SELECT arbiter.drop_store('mill', force => true);
