-- handle: load, decide, append, and again where another writer was faster.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');
CREATE SCHEMA devices;
-- A group of devices: whoever registers it says what he knows.
CREATE FUNCTION devices.evolve(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$ SELECT state OPERATOR(pg_catalog.||) event.data $$;
-- Create or merge: no state, new knowledge, nothing new.
CREATE FUNCTION devices.register(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$
    SELECT CASE WHEN state OPERATOR(pg_catalog.=) '{}' THEN pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('type', 'GroupRegistered', 'data', command))
                WHEN state OPERATOR(pg_catalog.@>) command THEN '[]'
                ELSE pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('type', 'GroupEnriched', 'data', command))
           END
$$;
SELECT * FROM arbiter.handle('shop', 'group-1', '{"site": "Oslo"}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve', initial => '{"floor": 3}');
SELECT revision, type, data, metadata FROM arbiter.read_stream('shop', 'group-1');
SELECT * FROM arbiter.handle(store => 'shop', stream => 'group-0', command => '{}', decide => 'devices.register', evolve => 'devices.evolve',
    initial => '{"x": 1}', command_id => NULL, key => NULL, metadata => '{}', lock => false, max_attempts => 1);

-- A lost acknowledgement: the same command again is answered without deciding, whatever has happened since.
CREATE TABLE devices.decided (command pg_catalog.jsonb);
CREATE FUNCTION devices.twice(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO devices.decided VALUES (command);
    RETURN pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('type', 'A', 'data', command),
        pg_catalog.jsonb_build_object('type', 'B', 'data', pg_catalog.jsonb_build_object('n', pg_catalog.random())));
END
$$;
SELECT * FROM arbiter.handle('shop', 'group-2', '{"a": 1}', 'devices.twice', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000001');
SELECT * FROM arbiter.handle('shop', 'group-2', '{"a": 1}', 'devices.twice', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000001');
SELECT * FROM arbiter.handle('shop', 'group-2', '{"a": 2}', 'devices.twice', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000002');
SELECT * FROM arbiter.handle('shop', 'group-2', '{"a": 1}', 'devices.twice', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000001');
SELECT * FROM devices.decided;
SELECT revision, type, id OPERATOR(pg_catalog.=) arbiter.uuid_v5(s.command, s.n) AS id_follows, metadata
  FROM arbiter.read_stream('shop', 'group-2')
  JOIN (VALUES (0, '10000000-0000-4000-8000-000000000001'::pg_catalog.uuid, '0'), (1, '10000000-0000-4000-8000-000000000001', '1'),
               (2, '10000000-0000-4000-8000-000000000002', '0'), (3, '10000000-0000-4000-8000-000000000002', '1')) AS s(at, command, n)
    ON s.at OPERATOR(pg_catalog.=) revision;
-- The same id on another stream is another command; `already` leaves nothing to be known by.
SELECT * FROM arbiter.handle('shop', 'group-3', '{"a": 1}', 'devices.twice', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000001');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000003');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000003');
-- A store that keeps no ids unique cannot know a command.
SELECT arbiter.create_store('loose', unique_event_ids => false);
SELECT * FROM arbiter.handle('loose', 'group-1', '{"a": 1}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('loose', 'group-1', '{"b": 1}', 'devices.register', 'devices.evolve', command_id => '10000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT arbiter.drop_store('loose', force => true);

-- Metadata: the call's for every event, what the event itself says before it; the cause unless somebody names one.
CREATE FUNCTION devices.traced(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$ SELECT '[{"type": "A", "data": 1}, {"type": "B", "data": 2, "metadata": {"by": "rule", "$causation_id": "c-2"}}]'::pg_catalog.jsonb $$;
SELECT * FROM arbiter.handle('shop', 'traced', '{}', 'devices.traced', 'devices.evolve', initial => '{}', metadata => '{"by": "Ann", "$correlation_id": "r-1"}',
    command_id => '10000000-0000-4000-8000-000000000004');
SELECT * FROM arbiter.handle('shop', 'traced2', '{}', 'devices.traced', 'devices.evolve', metadata => '{"$causation_id": "c-1"}',
    command_id => '10000000-0000-4000-8000-000000000004');
SELECT stream, revision, metadata FROM shop.events WHERE stream OPERATOR(pg_catalog.~) '^traced' ORDER BY position;

-- The natural key: written down with the first event, compared ever after.
SELECT * FROM arbiter.handle('shop', 'group-4', '{"a": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a", "b"]]');
SELECT * FROM arbiter.handle('shop', 'group-4', '{"b": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a", "b"]]');
SELECT * FROM arbiter.handle('shop', 'group-4', '{"a": 1}', 'devices.register', 'devices.evolve');
SELECT revision, metadata FROM arbiter.read_stream('shop', 'group-4');
SELECT * FROM arbiter.handle('shop', 'group-4', '{"a": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a,b"]]');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-4', '{"c": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a,b"]]');
\echo :SQLSTATE
-- Of a replayed command too.
SELECT * FROM arbiter.handle('shop', 'group-4', '{"c": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a", "b"]]', command_id => '10000000-0000-4000-8000-000000000005');
SELECT * FROM arbiter.handle('shop', 'group-4', '{"c": 1}', 'devices.register', 'devices.evolve', key => '["org", ["a,b"]]', command_id => '10000000-0000-4000-8000-000000000005');
\echo :SQLSTATE
-- A stream that was made without one gets it with its next event.
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve', key => '1');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"room": 12}', 'devices.register', 'devices.evolve', key => '1');
SELECT * FROM arbiter.handle('shop', 'group-1', '{"room": 12}', 'devices.register', 'devices.evolve', key => '2');
\echo :SQLSTATE
-- and it comes as the argument only: metadata would be taken for it
SELECT * FROM arbiter.handle('shop', 'group-key', '{"a": 1}', 'devices.register', 'devices.evolve', metadata => '{"$key": 1}');
\echo :SQLSTATE
CREATE FUNCTION devices.keyed(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$SELECT '[{"type": "Said", "data": {}, "metadata": {"$key": 1}}]'::pg_catalog.jsonb$$;
SELECT * FROM arbiter.handle('shop', 'group-key', '{"a": 1}', 'devices.keyed', 'devices.evolve');
\echo :SQLSTATE
SELECT revision, metadata FROM arbiter.read_stream('shop', 'group-1', 1);

-- A rejection is the domain's own, with all it says; nothing of it stays, and it is not tried again.
CREATE FUNCTION devices.rejects(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO devices.decided VALUES ('"rejected"');
    RAISE NOTICE 'deciding';
    RAISE SQLSTATE 'DV001' USING MESSAGE = 'the group is full', DETAIL = 'It has 8 devices.', HINT = 'Make another one.';
END
$$;
SELECT * FROM arbiter.handle('shop', 'group-1', '{}', 'devices.rejects', 'devices.evolve');
\echo :SQLSTATE
-- Even where it looks like a lost race of ours.
CREATE FUNCTION devices.conflicts(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE 'deciding';
    PERFORM arbiter.append('shop', 'group-2', 0, 'T', '{}');
    RETURN '[]';
END
$$;
SELECT * FROM arbiter.handle('shop', 'group-1', '{}', 'devices.conflicts', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM devices.decided WHERE command OPERATOR(pg_catalog.=) '"rejected"';

-- Beaten by a writer that decide itself sends ahead: what a discarded attempt has written is gone, and there is an end to it.
CREATE SEQUENCE devices.calls;
CREATE FUNCTION devices.beaten(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO devices.decided VALUES (pg_catalog.jsonb_build_object('call', pg_catalog.nextval('devices.calls')));
    PERFORM arbiter.append('shop', 'beaten', arbiter.any_revision(), 'Faster', '{}');
    RETURN '[{"type": "Slower", "data": {}}]';
END
$$;
SELECT * FROM arbiter.handle('shop', 'beaten', '{}', 'devices.beaten', 'devices.evolve');
\echo :SQLSTATE
SELECT pg_catalog.nextval('devices.calls');
SELECT * FROM arbiter.handle('shop', 'beaten', '{}', 'devices.beaten', 'devices.evolve', max_attempts => 1);
\echo :SQLSTATE
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT * FROM arbiter.handle('shop', 'beaten', '{}', 'devices.beaten', 'devices.evolve');
\echo :SQLSTATE
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM arbiter.handle('shop', 'beaten', '{}', 'devices.beaten', 'devices.evolve');
\echo :SQLSTATE
ROLLBACK;
SELECT pg_catalog.nextval('devices.calls');
-- It wins at the third attempt, and only that one has left anything.
CREATE FUNCTION devices.late(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
DECLARE
    call pg_catalog.int8 := pg_catalog.nextval('devices.calls');
BEGIN
    INSERT INTO devices.decided VALUES (pg_catalog.jsonb_build_object('call', call));
    IF call OPERATOR(pg_catalog.<) 3 THEN
        PERFORM arbiter.append('shop', 'late', arbiter.any_revision(), 'Faster', '{}');
    END IF;
    RETURN '[{"type": "Slower", "data": {}}]';
END
$$;
SELECT pg_catalog.setval('devices.calls', 1, false);
DELETE FROM devices.decided;
SELECT * FROM arbiter.handle('shop', 'late', '{}', 'devices.late', 'devices.evolve');
SELECT * FROM devices.decided;
SELECT revision, type FROM arbiter.read_stream('shop', 'late');
-- Each attempt decides on what is there by then, its own transaction's events too.
BEGIN;
SELECT arbiter.append('shop', 'mine', -1, 'GroupRegistered', '{"a": 1}');
SELECT * FROM arbiter.handle('shop', 'mine', '{"a": 1}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'mine', '{"b": 1}', 'devices.register', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'mine', '{"b": 1}', 'devices.register', 'devices.evolve');
SAVEPOINT s;
SELECT * FROM arbiter.handle('shop', 'mine', '{"c": 1}', 'devices.register', 'devices.evolve');
ROLLBACK TO s;
SELECT * FROM arbiter.handle('shop', 'mine', '{"c": 1}', 'devices.register', 'devices.evolve');
COMMIT;
SELECT s.n, h.* FROM pg_catalog.generate_series(1, 3) AS s(n),
       arbiter.handle('shop', 'mine', pg_catalog.jsonb_build_object('n', s.n), 'devices.register', 'devices.evolve') AS h;
-- The lock is the stream's, to the end of the transaction.
BEGIN;
SELECT * FROM arbiter.handle('shop', 'mine', '{"d": 1}', 'devices.register', 'devices.evolve', lock => false);
SELECT pg_catalog.count(*) FROM arbiter.entity_locks WHERE key OPERATOR(pg_catalog.=) arbiter.entity_key('mine');
SELECT * FROM arbiter.handle('shop', 'mine', '{"e": 1}', 'devices.register', 'devices.evolve');
SELECT pg_catalog.count(*) FROM arbiter.entity_locks WHERE key OPERATOR(pg_catalog.=) arbiter.entity_key('mine');
COMMIT;

-- Functions that are none, decisions that are none.
SELECT * FROM arbiter.handle('shop', 'group-1', '{}', 'devices.evolve', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '{}', 'devices.register', 'devices.register');
\echo :SQLSTATE
CREATE FUNCTION devices.echo(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql
    AS $$ SELECT CASE command OPERATOR(pg_catalog.->>) 0 WHEN 'null' THEN NULL ELSE command END $$;
SELECT * FROM arbiter.handle('shop', 'group-1', '["null"]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '{"type": "A", "data": {}}', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '[{"type": "A"}]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '[{"type": "$closed", "data": {}}]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '[{"type": "A", "data": {}, "id": "10000000-0000-4000-8000-000000000001"}]', 'devices.echo', 'devices.evolve',
    command_id => '10000000-0000-4000-8000-000000000006');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'echo', '[{"type": "A", "data": {}, "id": "10000000-0000-4000-8000-000000000001"}]', 'devices.echo', 'devices.evolve');
SELECT * FROM arbiter.handle('shop', 'echo', '[{"type": "A", "data": {}, "id": "10000000-0000-4000-8000-000000000001"}]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '[]', 'devices.echo', 'devices.evolve', max_attempts => 0);
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', '[]', 'devices.echo', 'devices.evolve', metadata => '[]');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', '', '[]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
SELECT * FROM arbiter.handle('shop', 'group-1', NULL, 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT * FROM arbiter.handle('shop', 'group-1', '[]', 'devices.echo', 'devices.evolve');
\echo :SQLSTATE
ROLLBACK;

-- What decides may change the table: the events are stored as it is now.
CREATE FUNCTION devices.extend(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command OPERATOR(pg_catalog.->>) 'statement';
    RETURN '[{"type": "GroupRegistered", "data": {}}]';
END
$$;
BEGIN;
SELECT * FROM arbiter.handle('shop', 'group-7', '{"statement": "ALTER TABLE shop.events ADD COLUMN tenant pg_catalog.text NOT NULL DEFAULT ''ours''"}', 'devices.extend', 'devices.evolve');
SELECT revision, type, tenant FROM shop.events WHERE stream OPERATOR(pg_catalog.=) 'group-7';
ROLLBACK;
BEGIN;
SELECT * FROM arbiter.handle('shop', 'group-7', '{"statement": "ALTER TABLE shop.events DROP CONSTRAINT events_position_key"}', 'devices.extend', 'devices.evolve');
SELECT revision, type FROM shop.events WHERE stream OPERATOR(pg_catalog.=) 'group-7';
ROLLBACK;
SELECT * FROM arbiter.handle('shop', 'group-7', '{"statement": "SELECT arbiter.drop_store(''shop'', force => true)"}', 'devices.extend', 'devices.evolve');
\echo :SQLSTATE

-- Rights: to append, and to execute both functions.
CREATE ROLE regress_clerk;
GRANT USAGE ON SCHEMA arbiter, shop, devices TO regress_clerk;
GRANT SELECT ON shop.events TO regress_clerk;
REVOKE EXECUTE ON FUNCTION devices.register FROM PUBLIC;
SET ROLE regress_clerk;
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve');
\echo :SQLSTATE
RESET ROLE;
GRANT INSERT ON shop.events TO regress_clerk;
SET ROLE regress_clerk;
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 3}', 'devices.register', 'devices.evolve');
\echo :SQLSTATE
RESET ROLE;
GRANT EXECUTE ON FUNCTION devices.register TO regress_clerk;
SET ROLE regress_clerk;
SELECT * FROM arbiter.handle('shop', 'group-1', '{"floor": 4}', 'devices.register', 'devices.evolve');
RESET ROLE;
SELECT done OPERATOR(pg_catalog.>) 0 AS done, already OPERATOR(pg_catalog.>) 0 AS already, conflict OPERATOR(pg_catalog.>) 0 AS conflict,
       replayed OPERATOR(pg_catalog.>) 0 AS replayed
  FROM arbiter.stats WHERE noun OPERATOR(pg_catalog.=) 'handle' AND store OPERATOR(pg_catalog.=) 'shop';

SET client_min_messages = warning;
DROP SCHEMA devices CASCADE;
SELECT arbiter.drop_store('shop', force => true);
REVOKE USAGE ON SCHEMA arbiter FROM regress_clerk;
DROP ROLE regress_clerk;
