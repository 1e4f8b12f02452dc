-- State machines: what a definition must be, who is checked, and what a command is told.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('mill');

-- create_machine: identical again is a no-op, in whatever order it is written; another definition is told apart
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'Pending', '[
    {"from": ["Pending"], "command": "start", "to": "Running", "event": "BatchStarted"},
    {"from": ["Pending", "Running"], "command": "finalize", "to": "Finalized", "event": "BatchFinalized"},
    {"from": ["Running"], "command": "pause", "to": "Paused", "event": "BatchPaused"},
    {"from": ["Paused"], "command": "start", "to": "Running", "event": "BatchStarted"},
    {"from": ["Paused"], "command": "touch", "to": "Paused", "event": "BatchPaused"},
    {"from": ["Paused"], "command": "end", "to": "Failed", "event": "BatchFailed"},
    {"from": ["Running"], "command": "end", "to": "Finalized", "event": "BatchFinalized"}]');
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'Pending', '[
    {"from": ["Paused"], "command": "touch", "to": "Paused", "event": "BatchPaused"},
    {"from": ["Running", "Pending"], "command": "finalize", "to": "Finalized", "event": "BatchFinalized"},
    {"from": ["Running"], "command": "pause", "to": "Paused", "event": "BatchPaused"},
    {"from": ["Paused", "Pending"], "command": "start", "to": "Running", "event": "BatchStarted"},
    {"from": ["Paused"], "command": "end", "to": "Failed", "event": "BatchFailed"},
    {"from": ["Running"], "command": "end", "to": "Finalized", "event": "BatchFinalized"}]');
SELECT arbiter.create_machine('mill', 'batch', 'lot', 'Pending', '[{"from": ["Pending"], "command": "start", "to": "Running", "event": "BatchStarted"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'New', '[{"from": ["New"], "command": "start", "to": "Running", "event": "BatchStarted"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'Pending', '[{"from": ["Pending"], "command": "start", "to": "Running", "event": "BatchStarted"}]');
\echo :SQLSTATE

-- bad definitions name the element
SELECT arbiter.create_machine(NULL, 'm', 'c', 'A', '[]');
\echo :SQLSTATE
SELECT arbiter.create_machine('nowhere', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', NULL, 'c', 'A', '[]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', NULL, 'A', '[]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', NULL, '[]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', NULL);
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', '', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', pg_catalog.repeat('m', 257), 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'two-parts', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', '', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', '', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '{}');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}, 7]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E", "guard": "x"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": "A", "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": [], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A", null], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": 1, "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "$closed"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}, {"from": ["C"], "command": "c", "to": "A", "event": "F"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}, {"from": ["A"], "command": "c", "to": "C", "event": "F"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A", "A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}, {"from": ["B"], "command": "d", "to": "C", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.create_machine('mill', 'm', 'batch', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "BatchPaused"}]');
\echo :SQLSTATE
-- in another category the same types are others
SELECT arbiter.create_machine('mill', 'order', 'order', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "BatchPaused"}]');
SELECT machine, category, initial, pg_catalog.jsonb_array_length(transitions) AS transitions FROM mill.machines ORDER BY machine;

-- transition: applied, already only in the very state aimed at, else RB030
SELECT arbiter.machine_state('mill', 'batch', '1');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'pause');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start', '{"by": "Ann"}');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start');
SELECT arbiter.append('mill', 'batch-1', 0, 'Noted', '{}');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start');
SELECT arbiter.machine_state('mill', 'batch', '1');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'pause');
-- a command that leaves the state it leads to is applied again
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'touch');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'end');
-- a command with several targets answers nothing by guess
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'end');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'finalize');
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start');
\echo :SQLSTATE
SELECT revision, type, data FROM arbiter.read_stream('mill', 'batch-1');
-- arguments
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'stop');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'lathe', '1', 'start');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '', 'start');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', NULL, 'start');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '1', NULL);
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start', NULL);
\echo :SQLSTATE
SELECT * FROM arbiter.transition(NULL, 'batch', '1', 'start');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', NULL, '1', 'start');
\echo :SQLSTATE
SELECT arbiter.machine_state('mill', 'lathe', '1');
\echo :SQLSTATE
SELECT arbiter.machine_state('mill', 'batch', NULL);
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT * FROM arbiter.transition('mill', 'batch', '1', 'start');
\echo :SQLSTATE
ROLLBACK;
BEGIN READ ONLY;
SELECT arbiter.machine_state('mill', 'batch', '1');
COMMIT;

-- with an id the same command is known again, also after others; another one under the id is a bug
SELECT * FROM arbiter.transition('mill', 'batch', '2', 'start', '{"n": 1}', '00000000-0000-4000-8000-000000000001');
SELECT * FROM arbiter.transition('mill', 'batch', '2', 'pause', '{}', '00000000-0000-4000-8000-000000000002');
SELECT * FROM arbiter.transition('mill', 'batch', '2', 'start', '{"n": 1}', '00000000-0000-4000-8000-000000000001');
SELECT * FROM arbiter.transition('mill', 'batch', '2', 'start', '{"n": 2}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '2', 'finalize', '{"n": 1}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT revision, type, metadata, id OPERATOR(pg_catalog.=) arbiter.uuid_v5('00000000-0000-4000-8000-000000000001', '0') AS known
  FROM arbiter.read_stream('mill', 'batch-2');

-- every writer is checked: each of these finds batch-2 paused
SELECT arbiter.append('mill', 'batch-2', -2, 'BatchFinalized', '{}');
\echo :SQLSTATE
SELECT arbiter.append('mill', 'batch-2', 1, 'BatchFinalized', '{}');
\echo :SQLSTATE
SELECT arbiter.append('mill', 'batch-2', -4, 'BatchFinalized', '{}');
\echo :SQLSTATE
SELECT arbiter.append_events('mill', 'batch-2', 1, '[{"type": "Noted", "data": {}}, {"type": "BatchFinalized", "data": {}}]');
\echo :SQLSTATE
SELECT * FROM arbiter.append_if('mill', 'batch-2', 1, '[{"type": "BatchFinalized", "data": {}}]');
\echo :SQLSTATE
SELECT * FROM arbiter.append_streams('mill', '[{"stream": "batch-9", "expected": -1, "events": [{"type": "BatchStarted", "data": {}}]},
    {"stream": "batch-2", "expected": 1, "events": [{"type": "BatchFinalized", "data": {}}]}]');
\echo :SQLSTATE
INSERT INTO mill.events (stream, revision, type, data) VALUES ('batch-2', 2, 'BatchFinalized', '{}');
\echo :SQLSTATE
INSERT INTO mill.events (stream, revision, type, data) VALUES ('batch-2', 2, 'BatchFinalized', '{}') ON CONFLICT DO NOTHING;
\echo :SQLSTATE
COPY mill.events (stream, revision, type, data) FROM STDIN;
batch-2	2	BatchFinalized	{}
\.
\echo :SQLSTATE
CREATE FUNCTION public.finalize(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
    LANGUAGE sql AS $$ SELECT '[{"type": "BatchFinalized", "data": {}}]'::pg_catalog.jsonb $$;
CREATE FUNCTION public.stay(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
    LANGUAGE sql AS $$ SELECT state $$;
SELECT * FROM arbiter.handle('mill', 'batch-2', '{}', 'public.finalize', 'public.stay');
\echo :SQLSTATE
-- a wrong expectation, a closed stream and a retry come first
SELECT arbiter.append('mill', 'batch-2', 0, 'BatchFinalized', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.append_if('mill', 'batch-2', 0, '[{"type": "BatchFinalized", "data": {}}]');
SELECT arbiter.append('mill', 'batch-3', -1, 'BatchFinalized', '{}', id => '00000000-0000-4000-8000-000000000003');
SELECT arbiter.append('mill', 'batch-3', -1, 'BatchFinalized', '{}', id => '00000000-0000-4000-8000-000000000003');
SELECT arbiter.close_stream('mill', 'batch-3', 'over');
SELECT arbiter.append('mill', 'batch-3', -2, 'BatchStarted', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('mill', 'batch', '3', 'start');
\echo :SQLSTATE
-- what is taken stays the primary key's to refuse, or to skip
INSERT INTO mill.events (stream, revision, type, data) VALUES ('batch-2', 1, 'BatchFinalized', '{}') ON CONFLICT DO NOTHING;
INSERT INTO mill.events (stream, revision, type, data) VALUES ('batch-2', 1, 'BatchFinalized', '{}');
\echo :SQLSTATE
-- a batch is judged with its own earlier events, whoever writes it
SELECT arbiter.append_events('mill', 'batch-4', -1, '[{"type": "BatchStarted", "data": {}}, {"type": "Noted", "data": {}}, {"type": "BatchPaused", "data": {}}]');
SELECT arbiter.append_events('mill', 'batch-4', -2, '[{"type": "BatchStarted", "data": {}}, {"type": "BatchFailed", "data": {}}]');
\echo :SQLSTATE
INSERT INTO mill.events (stream, revision, type, data) VALUES ('batch-4', 3, 'BatchStarted', '{}'), ('batch-4', 4, 'BatchFailed', '{}');
\echo :SQLSTATE
COPY mill.events (stream, revision, type, data) FROM STDIN;
batch-4	3	BatchStarted	{}
batch-4	4	Noted	{}
batch-4	5	BatchFinalized	{}
\.
SELECT arbiter.machine_state('mill', 'batch', '4');
-- types of no machine, and other categories, are nobody's business
SELECT arbiter.append('mill', 'batch-4', -2, 'Noted', '{}');
SELECT arbiter.append('mill', 'batches-4', -2, 'BatchFailed', '{}');
SELECT arbiter.append('mill', 'lot-4', -2, 'BatchFailed', '{}');
-- a stream named like the category is one of it
SELECT arbiter.append('mill', 'batch', -2, 'BatchFailed', '{}');
\echo :SQLSTATE

-- what this transaction has written counts, and what a savepoint has taken back does not
BEGIN;
SELECT * FROM arbiter.transition('mill', 'batch', '5', 'start');
SAVEPOINT s;
SELECT * FROM arbiter.transition('mill', 'batch', '5', 'finalize');
ROLLBACK TO s;
SELECT * FROM arbiter.transition('mill', 'batch', '5', 'pause');
SELECT arbiter.append('mill', 'batch-5', -2, 'BatchFinalized', '{}');
ROLLBACK TO s;
SELECT arbiter.machine_state('mill', 'batch', '5');
COMMIT;

-- truncation keeps the event that tells the state; redaction keeps its type
SELECT arbiter.truncate_stream('mill', 'batch-4', 6, 'small');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('mill', 'batch-4', 5, 'small');
SELECT arbiter.redact('mill', 'batch-4', 5, 'private');
SELECT arbiter.machine_state('mill', 'batch', '4');
SELECT * FROM arbiter.transition('mill', 'batch', '4', 'start');
\echo :SQLSTATE
SELECT arbiter.truncate_stream('mill', 'lot-4', 1, 'nobody''s');

-- the table is the calls' own
INSERT INTO mill.machines (machine, category, initial, transitions) VALUES ('m', 'c', 'A', '[]');
\echo :SQLSTATE
UPDATE mill.machines SET initial = 'Running';
\echo :SQLSTATE
DELETE FROM mill.machines;
\echo :SQLSTATE
TRUNCATE mill.machines CASCADE;
\echo :SQLSTATE
-- whoever gets a machine past them is told, and gets rid of it
SET session_replication_role = 'replica';
INSERT INTO mill.machines (machine, category, initial, transitions) VALUES ('m', 'c', 'A', '[{"from": ["B"], "command": "c", "to": "B", "event": "E"}]');
RESET session_replication_role;
SELECT arbiter.machine_state('mill', 'm', '1');
ALTER TABLE mill.events SET (fillfactor = 100);
SELECT arbiter.append('mill', 'lot-4', -2, 'Noted', '{}');
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'm', force => true);
SELECT arbiter.append('mill', 'lot-4', -2, 'Noted', '{}');

-- made, dropped and taken back in the middle of a session that writes
BEGIN;
SELECT arbiter.create_machine('mill', 'lot', 'lot', 'Open', '[{"from": ["Open"], "command": "seal", "to": "Sealed", "event": "LotSealed"}]'),
       arbiter.append('mill', 'lot-1', -2, 'LotSealed', '{}');
SAVEPOINT s;
SELECT arbiter.append('mill', 'lot-1', -2, 'LotSealed', '{}');
\echo :SQLSTATE
ROLLBACK TO s;
SELECT arbiter.drop_machine('mill', 'lot', force => true);
SELECT arbiter.append('mill', 'lot-1', -2, 'LotSealed', '{}');
ROLLBACK TO s;
INSERT INTO mill.events (stream, revision, type, data) VALUES ('lot-1', 1, 'LotSealed', '{}');
\echo :SQLSTATE
ROLLBACK;
SELECT arbiter.append('mill', 'lot-1', -2, 'LotSealed', '{}');
SELECT arbiter.append('mill', 'lot-1', -2, 'LotSealed', '{}');
SELECT arbiter.create_machine('mill', 'lot', 'lot', 'Open', '[{"from": ["Open"], "command": "seal", "to": "Sealed", "event": "LotSealed"}]');
-- what was stored before tells the state too
SELECT * FROM arbiter.transition('mill', 'lot', '1', 'seal');
SELECT * FROM arbiter.transition('mill', 'lot', '2', 'seal');

-- drop_machine
SELECT arbiter.drop_machine('mill', 'lot');
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'lot', force => NULL);
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'lathe');
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'lathe', force => true);
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'order');
SELECT arbiter.drop_machine('mill', 'lot', force => true);
SELECT arbiter.append('mill', 'lot-2', -2, 'LotSealed', '{}');

-- REPEATABLE READ and SERIALIZABLE decide on what is, and say so in the same words
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT * FROM arbiter.transition('mill', 'batch', '6', 'start');
SELECT * FROM arbiter.transition('mill', 'batch', '6', 'start');
SELECT * FROM arbiter.transition('mill', 'batch', '6', 'touch');
\echo :SQLSTATE
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM arbiter.transition('mill', 'batch', '6', 'start');
SELECT arbiter.append('mill', 'batch-6', 0, 'BatchFailed', '{}');
\echo :SQLSTATE
ROLLBACK;

-- rights: the rules hold for those who may not read them, and are made by those who may write them
CREATE ROLE mill_writer;
GRANT USAGE ON SCHEMA arbiter, mill TO mill_writer;
GRANT SELECT, INSERT ON mill.events TO mill_writer;
SET ROLE mill_writer;
SELECT * FROM arbiter.transition('mill', 'batch', '7', 'start');
SELECT arbiter.append('mill', 'batch-7', -2, 'BatchFailed', '{}');
\echo :SQLSTATE
SELECT arbiter.machine_state('mill', 'batch', '7');
SELECT arbiter.create_machine('mill', 'mine', 'mine', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
\echo :SQLSTATE
SELECT arbiter.drop_machine('mill', 'batch', force => true);
\echo :SQLSTATE
RESET ROLE;
REVOKE ALL ON mill.events FROM mill_writer;
REVOKE ALL ON SCHEMA arbiter, mill FROM mill_writer;
DROP ROLE mill_writer;

-- a closed stream takes no command, though its state has one
SELECT arbiter.append('mill', 'batch-shut', -1, 'BatchStarted', '{}');
SELECT arbiter.close_stream('mill', 'batch-shut', 'over');
SELECT * FROM arbiter.transition('mill', 'batch', 'shut', 'finalize');
\echo :SQLSTATE
-- a store that keeps no ids
SELECT arbiter.create_store('loose', unique_event_ids => false);
SELECT arbiter.create_machine('loose', 'm', 'c', 'A', '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]');
SELECT * FROM arbiter.transition('loose', 'm', '1', 'c', '{}', '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT * FROM arbiter.transition('loose', 'm', '1', 'c');
SELECT arbiter.drop_store('loose', force => true);

SELECT noun, done OPERATOR(pg_catalog.>) 5 AS done, already, conflict, replayed
  FROM arbiter.stats WHERE noun OPERATOR(pg_catalog.=) 'transition';
DROP FUNCTION public.finalize(pg_catalog.jsonb, pg_catalog.jsonb), public.stay(pg_catalog.jsonb, arbiter.recorded_event);
SELECT arbiter.drop_store('mill', force => true);
