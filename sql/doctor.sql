-- What the doctor finds and what it advises: each remedy is run as it stands, and nothing is found afterwards.
SET client_min_messages = warning;
CREATE SCHEMA ward;
CREATE FUNCTION ward.cure(store pg_catalog.text)
    RETURNS TABLE (severity pg_catalog.text, subject pg_catalog.text, problem pg_catalog.text, remedy pg_catalog.text)
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    FOR severity, subject, problem, remedy IN SELECT * FROM arbiter.doctor(store) LOOP
        RETURN NEXT;
        EXECUTE remedy;
    END LOOP;
    FOR severity, subject, problem, remedy IN SELECT * FROM arbiter.doctor(store) LOOP
        severity := 'STILL ' || severity;
        RETURN NEXT;
    END LOOP;
END $$;
SELECT arbiter.create_store('sick');
SELECT arbiter.append('sick', 'bed-1', -1, 'Made', '{}');
SELECT * FROM ward.cure('sick');

-- The store.
ALTER TABLE sick.events DISABLE TRIGGER zz_arbiter_append;
SELECT * FROM ward.cure('sick');
DROP TRIGGER zz_arbiter_append ON sick.events;
SELECT * FROM ward.cure('sick');
ALTER TABLE sick.machines DISABLE TRIGGER ALL;
SELECT * FROM ward.cure('sick');
ALTER TABLE sick.claims DISABLE TRIGGER USER;
SELECT * FROM ward.cure('sick');
ALTER TABLE sick.events DROP CONSTRAINT events_pkey;
SELECT * FROM ward.cure('sick');
ALTER TABLE sick.events DROP CONSTRAINT events_stream_id_key;
SELECT * FROM ward.cure('sick');
ALTER SEQUENCE sick.events_position CACHE 5 CYCLE;
SELECT * FROM ward.cure('sick');
-- Set back as setval does it, and as a sequence that was never used.
SELECT arbiter.append('sick', 'bed-1', 0, 'Made', '{}');
SELECT pg_catalog.setval('sick.events_position', 1);
SELECT * FROM ward.cure('sick');
SELECT pg_catalog.setval('sick.events_position', 1, false);
SELECT * FROM ward.cure('sick');
SELECT arbiter.append('sick', 'bed-1', 1, 'Made', '{}');

-- Derivations, changed behind the back of the library.
SELECT arbiter.create_derivation('sick', 'bed_id', '0f3ce8b7-2f6b-4c0a-9a44-6a3a3f5b9c11',
    '[{"name": "serial", "type": "text", "each": ["trim_js25", "lower_ascii"]}]',
    '[{"args": {"serial": "S-17"}, "uuid": "8c2f0215-f843-5406-8216-1d607fb01cb9", "origin": "Python 3.11, uuid.uuid5"}]');
DROP FUNCTION sick.bed_id(pg_catalog.text);
SELECT * FROM ward.cure('sick');
UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE oid OPERATOR(pg_catalog.=) 'sick.bed_id'::pg_catalog.regproc;
CREATE FUNCTION sick.aside(pg_catalog.uuid) RETURNS pg_catalog.uuid LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
UPDATE pg_catalog.pg_proc SET proname = 'bed_id' WHERE oid OPERATOR(pg_catalog.=) 'sick.aside'::pg_catalog.regproc;
CREATE FUNCTION sick.stray(pg_catalog.text) RETURNS pg_catalog.uuid LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
UPDATE pg_catalog.pg_proc SET prosrc = 'SELECT arbiter.derived_id($1)' WHERE oid OPERATOR(pg_catalog.=) 'sick.stray'::pg_catalog.regproc;
SELECT * FROM ward.cure('sick');

-- Pools.
CREATE TABLE ward."Bed" (id pg_catalog.int8 PRIMARY KEY, owner pg_catalog.text, since pg_catalog.timestamptz, token pg_catalog.int8,
                         "order" pg_catalog.int8, ready boolean NOT NULL DEFAULT true, due pg_catalog.timestamptz);
SELECT arbiter.create_pool('sick', 'beds', 'ward."Bed"', 'id', 'owner', 'since', 'token', 'ready', '"order" DESC');
SELECT * FROM ward.cure('sick');
ALTER TABLE ward."Bed" DISABLE TRIGGER zz_arbiter_pool_beds;
SELECT * FROM ward.cure('sick');
ALTER TABLE ward."Bed" RENAME since TO at;
SELECT * FROM ward.cure('sick');

-- Sweeps: what an index can know, and what it cannot.
SELECT arbiter.create_machine('sick', 'bed', 'bed', 'Dirty', '[{"from": ["Dirty"], "command": "clean", "to": "Clean", "event": "Cleaned"}]');
SELECT arbiter.create_sweep('sick', 'clean', 'ward."Bed"', 'id', 'ready AND "order" > 3', '"order", id', 'bed', 'clean');
SELECT arbiter.create_sweep('sick', 'remind', 'ward."Bed"', 'id', 'due <= pg_catalog.now()', 'due');
SELECT * FROM ward.cure('sick');
-- Rows that are due for ever are told of, and are for a person to judge; those of a week ago are not due any more.
INSERT INTO sick.sweep_rests (sweep, key, attempts, error, next_attempt_at)
     VALUES ('clean', 'bed-1', 12, 'no water', pg_catalog.clock_timestamp()), ('clean', 'bed-2', 10, NULL, pg_catalog.clock_timestamp()),
            ('clean', 'bed-3', 9, 'no soap', pg_catalog.clock_timestamp()),
            ('clean', 'bed-4', 40, 'no bed', pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '7 days'::pg_catalog.interval);
SELECT * FROM ward.cure('sick');
DELETE FROM sick.sweep_rests;
-- A column of the predicate is gone under its name; a column of the order.
ALTER TABLE ward."Bed" RENAME ready TO made;
SELECT * FROM ward.cure('sick');
ALTER TABLE ward."Bed" DROP COLUMN due;
SELECT * FROM ward.cure('sick');
SELECT arbiter.create_sweep('sick', 'clean', 'ward."Bed"', 'id', 'made', 'id', 'bed', 'clean');
SELECT arbiter.create_pool('sick', 'beds', 'ward."Bed"', 'id', 'owner', 'at', 'token', NULL, NULL);
DROP TABLE ward."Bed";
SELECT * FROM ward.cure('sick');

-- Projections: one that stands still. Of failures and debts it is told, for a person to judge.
CREATE FUNCTION ward.see(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql AS 'SELECT';
SELECT arbiter.create_projection('sick', 'chart', 'transactional', 'ward.see');
SET session_replication_role = replica;
UPDATE sick.events SET recorded_at = '2026-01-01 00:00:00+00';
UPDATE sick.projection_cursors SET moved_at = '2026-01-01 00:00:00+00';
RESET session_replication_role;
SET timezone = 'UTC';
SELECT * FROM ward.cure('sick');
CREATE FUNCTION ward.missing(projection pg_catalog.text) RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb)
    LANGUAGE sql AS 'SELECT NULL::pg_catalog.text, NULL::pg_catalog.int8, NULL::pg_catalog.jsonb WHERE false';
SELECT arbiter.create_projection('sick', 'board', 'async', 'ward.see', 'ward.missing', '1 hour');
SELECT outcome FROM arbiter.run_projection('sick', 'board');
SELECT checked FROM arbiter.reconcile('sick', 'board');
UPDATE sick.reconciliations SET reconciled_at = '2026-01-01 00:00:00+00';
SELECT * FROM ward.cure('sick');

-- Its handler is gone: said at once, before anything waits for it.
ALTER FUNCTION ward.see(pg_catalog.jsonb) RENAME TO seen;
SELECT severity, subject, problem, remedy FROM arbiter.doctor('sick') WHERE problem OPERATOR(pg_catalog.~) 'handler';
ALTER FUNCTION ward.seen(pg_catalog.jsonb) RENAME TO see;
SELECT subject FROM arbiter.doctor('sick') WHERE problem OPERATOR(pg_catalog.~) 'handler';

-- Who may not read the table is not told of its indexes, and is told the rest.
CREATE TABLE ward.shut (id pg_catalog.int8, due boolean);
SELECT arbiter.create_sweep('sick', 'shut', 'ward.shut', 'id', 'due', 'id');
CREATE ROLE ward_nurse;
GRANT USAGE ON SCHEMA arbiter, sick, ward TO ward_nurse;
GRANT SELECT ON ALL TABLES IN SCHEMA sick TO ward_nurse;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA sick TO ward_nurse;
SET ROLE ward_nurse;
SELECT subject, problem FROM arbiter.doctor('sick');
RESET ROLE;
SELECT subject, problem FROM arbiter.doctor('sick');
SELECT arbiter.drop_store('sick', force => true);
DROP SCHEMA ward CASCADE;
DROP OWNED BY ward_nurse;
DROP ROLE ward_nurse;
