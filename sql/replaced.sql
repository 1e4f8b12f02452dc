-- The owner of a store puts a view in the place of one of its tables. Whatever a superuser calls then, no function of the
-- view runs with the superuser's rights.
\set SHOW_CONTEXT never
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE ROLE replaced_owner;
GRANT USAGE ON SCHEMA arbiter TO replaced_owner;
GRANT CREATE ON DATABASE :"DBNAME" TO replaced_owner;
SET ROLE replaced_owner;
SELECT arbiter.create_store('replaced');
CREATE TABLE replaced.work (id bigint PRIMARY KEY, owner pg_catalog.text, since pg_catalog.timestamptz, token bigint);
INSERT INTO replaced.work VALUES (1, NULL, NULL, 0), (2, NULL, NULL, 0);
CREATE FUNCTION replaced.handler(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql AS '';
CREATE FUNCTION replaced.decide(state pg_catalog.jsonb, command pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql AS 'SELECT ''[]''::pg_catalog.jsonb';
CREATE FUNCTION replaced.evolve(state pg_catalog.jsonb, event pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql AS 'SELECT state';
SELECT arbiter.create_ledger('replaced', 'mails', 'never');
SELECT arbiter.create_machine('replaced', 'order', 'order', 'Placed', '[{"from": ["Placed"], "command": "pay", "to": "Paid", "event": "OrderPaid"}]');
SELECT arbiter.create_sweep('replaced', 'pay', 'replaced.work', 'id', 'owner IS NULL', 'id', 'order', 'pay');
SELECT arbiter.create_pool('replaced', 'work', 'replaced.work', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT arbiter.create_projection('replaced', 'mailer', 'external', reconciler => 'external', reconcile_every => '1 day');
SELECT arbiter.create_projection('replaced', 'run', 'transactional', 'replaced.handler');
SELECT arbiter.create_projection('replaced', 'workers', 'async', reconciler => 'external', reconcile_every => '1 day');
SELECT arbiter.create_derivation('replaced', 'order_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
    '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]');
SELECT arbiter.append('replaced', 'a-1', -1, 'A', '{}');

-- A sequence, since what a call does before it fails is rolled back.
CREATE SEQUENCE replaced.sprung MINVALUE 0 START 0;
CREATE FUNCTION replaced.spring() RETURNS pg_catalog.bool STABLE LANGUAGE plpgsql AS $$
BEGIN
    IF CURRENT_USER OPERATOR(pg_catalog.<>) 'replaced_owner' THEN
        PERFORM pg_catalog.nextval('replaced.sprung');
    END IF;
    RETURN true;
END
$$;
SELECT pg_catalog.nextval('replaced.sprung');
RESET ROLE;

CREATE TEMPORARY TABLE calls (call pg_catalog.text);
INSERT INTO calls VALUES
    ($$SELECT arbiter.advance('replaced', 'mailer', 'a-1', 0)$$),
    ($$SELECT arbiter.allocate('replaced', 'work', 'me', 1)$$),
    ($$SELECT arbiter.append('replaced', 'a-2', -1, 'A', '{}')$$),
    ($$SELECT arbiter.append_events('replaced', 'a-3', -1, '[{"type": "A", "data": {}}]')$$),
    ($$SELECT arbiter.append_if('replaced', 'a-4', -1, '[{"type": "A", "data": {}}]')$$),
    ($$SELECT arbiter.claim('replaced', 'mails', 'k')$$),
    ($$SELECT arbiter.claim_keys('replaced', 'mails', '{k, l}')$$),
    ($$SELECT arbiter.close_stream('replaced', 'a-1', 'why')$$),
    ($$SELECT arbiter.cursor('replaced', 'mine')$$),
    ($$SELECT arbiter.doctor('replaced')$$),
    ($$SELECT arbiter.done_event('replaced', 'workers', 'a-1', 0, 1)$$),
    ($$SELECT arbiter.drop_derivation('replaced', 'order_id')$$),
    ($$SELECT arbiter.drop_ledger('replaced', 'mails')$$),
    ($$SELECT arbiter.drop_machine('replaced', 'order')$$),
    ($$SELECT arbiter.drop_pool('replaced', 'work')$$),
    ($$SELECT arbiter.drop_projection('replaced', 'mailer')$$),
    ($$SELECT arbiter.drop_store('replaced')$$),
    ($$SELECT arbiter.drop_sweep('replaced', 'pay')$$),
    ($$SELECT arbiter.due_rows('replaced', 'pay', 10)$$),
    ($$SELECT arbiter.explain_derivation('replaced', 'order_id', '{"number": "a"}')$$),
    ($$SELECT arbiter.export_vectors('replaced', 'order_id')$$),
    ($$SELECT arbiter.fail_event('replaced', 'mailer', 'a-1', 0, 'why')$$),
    ($$SELECT arbiter.feed_blockers('replaced')$$),
    ($$SELECT arbiter.feed_horizon('replaced')$$),
    ($$SELECT arbiter.fold('replaced', 'a-1', 'replaced.evolve')$$),
    ($$SELECT arbiter.force_takeover('replaced', 'mails', 'k', 'why')$$),
    ($$SELECT arbiter.handle('replaced', 'a-1', '{}', 'replaced.decide', 'replaced.evolve')$$),
    ($$SELECT arbiter.hold_work('replaced', 'work', '1', 1)$$),
    ($$SELECT arbiter.last_event('replaced', 'a-1')$$),
    ($$SELECT arbiter.last_revision('replaced', 'mailer', 'a-1')$$),
    ($$SELECT arbiter.load_stream('replaced', 'a-1')$$),
    ($$SELECT arbiter.machine_state('replaced', 'order', '1')$$),
    ($$SELECT arbiter.next_events('replaced', 'workers')$$),
    ($$SELECT arbiter.pass_event('replaced', 'mailer', 'a-1', 0, 'why')$$),
    ($$CALL arbiter.prune_claims('replaced', 'mails', '0')$$),
    ($$SELECT arbiter.read_feed('replaced')$$),
    ($$SELECT arbiter.read_stream('replaced', 'a-1')$$),
    ($$SELECT arbiter.reassign('replaced', 'work', '1', 'other')$$),
    ($$SELECT arbiter.rebuild_projection('replaced', 'run')$$),
    ($$SELECT arbiter.reconcile('replaced', 'mailer')$$),
    ($$SELECT arbiter.record_reconciliation('replaced', 'mailer', 1, 0, 0)$$),
    ($$SELECT arbiter.redact('replaced', 'a-1', 0, 'why')$$),
    ($$SELECT arbiter.release_work('replaced', 'work', '1', 1)$$),
    ($$SELECT arbiter.renew('replaced', 'mails', 'k', 1)$$),
    ($$SELECT arbiter.resolve_failure('replaced', 'mailer', 'a-1', 0, 'why')$$),
    ($$SELECT arbiter.retry_failures('replaced', 'run')$$),
    ($$SELECT arbiter.return_stale('replaced', 'work', '1 hour', 10)$$),
    ($$SELECT arbiter.run_projection('replaced', 'run')$$),
    ($$CALL arbiter.run_projections('replaced')$$),
    ($$CALL arbiter.run_sweep('replaced', 'pay', 10)$$),
    ($$SELECT arbiter.save_cursor('replaced', 'mine', 1)$$),
    ($$SELECT arbiter.settle('replaced', 'mails', 'k', 1, 'done')$$),
    ($$CALL arbiter.settle_feed('replaced')$$),
    ($$SELECT arbiter.start_at('replaced', 'mailer', 'a-1', 0)$$),
    ($$SELECT arbiter.stream_revision('replaced', 'a-1')$$),
    ($$SELECT arbiter.transition('replaced', 'order', '1', 'pay')$$),
    ($$SELECT arbiter.truncate_stream('replaced', 'a-1', 1, 'why')$$),
    ($$SELECT arbiter.upgrade_store('replaced')$$),
    ($$SELECT arbiter.verify_derivations('replaced')$$),
    ($$CALL arbiter.wait_for_events('replaced', 0, '0')$$),
    ($$CALL arbiter.wait_for_projection('replaced', 'run', 'a-1', 0, '0')$$),
    ($$SELECT s.name FROM arbiter.stores AS s$$),
    ($$SELECT s.done FROM arbiter.stats AS s$$);

-- Each call finds each table replaced, and is rolled back.
CREATE TEMPORARY TABLE leaks (relation pg_catalog.text, call pg_catalog.text);
DO $do$
DECLARE
    place pg_catalog.record;
    made pg_catalog.text;
    before bigint;
BEGIN
    FOR place IN
        SELECT c.relname, k.call FROM pg_catalog.pg_class AS c, calls AS k
         WHERE c.relnamespace OPERATOR(pg_catalog.=) 'replaced'::pg_catalog.regnamespace
           AND c.relkind OPERATOR(pg_catalog.=) 'r' AND c.relname OPERATOR(pg_catalog.<>) 'work'
    LOOP
        before := (SELECT s.last_value FROM replaced.sprung AS s);
        BEGIN
            SET LOCAL ROLE replaced_owner;
            EXECUTE pg_catalog.format('ALTER TABLE replaced.%1$I RENAME TO real;
                CREATE VIEW replaced.%1$I AS SELECT r.* FROM replaced.real AS r WHERE replaced.spring()', place.relname);
            RESET ROLE;
            EXECUTE place.call;
            RAISE EXCEPTION 'to be rolled back';
        EXCEPTION WHEN OTHERS THEN
            NULL;
        END;
        IF before OPERATOR(pg_catalog.<>) (SELECT s.last_value FROM replaced.sprung AS s) THEN
            INSERT INTO leaks VALUES (place.relname, place.call);
        END IF;
    END LOOP;
END
$do$;
SELECT l.relation, l.call FROM leaks AS l ORDER BY l.relation COLLATE pg_catalog."C", l.call COLLATE pg_catalog."C";

-- And it says why.
SET ROLE replaced_owner;
ALTER TABLE replaced.sweeps RENAME TO real;
CREATE VIEW replaced.sweeps AS SELECT r.* FROM replaced.real AS r;
\set VERBOSITY default
SELECT d.sweep_key FROM arbiter.due_rows('replaced', 'pay', 10) AS d (sweep_key);
\set VERBOSITY terse
SELECT s.armed FROM arbiter.stores AS s WHERE s.name OPERATOR(pg_catalog.=) 'replaced';
DROP VIEW replaced.sweeps;
ALTER TABLE replaced.real RENAME TO sweeps;
SELECT d.sweep_key FROM arbiter.due_rows('replaced', 'pay', 10) AS d (sweep_key);
SELECT arbiter.drop_pool('replaced', 'work');

-- A column of another type, or null where none can be, is an error and no crash.
ALTER TABLE replaced.sweeps DROP CONSTRAINT sweeps_pkey CASCADE, ALTER COLUMN sweep DROP NOT NULL;
UPDATE replaced.sweeps SET sweep = NULL;
SELECT d.subject FROM arbiter.doctor('replaced') AS d;
ALTER TABLE replaced.sweeps ALTER COLUMN sweep TYPE pg_catalog.name USING 'pay';
SELECT d.subject FROM arbiter.doctor('replaced') AS d;
RESET ROLE;

DROP TABLE calls, leaks;
SELECT arbiter.drop_store('replaced', force => true);
DROP SCHEMA replaced CASCADE;
REVOKE CREATE ON DATABASE :"DBNAME" FROM replaced_owner;
REVOKE USAGE ON SCHEMA arbiter FROM replaced_owner;
DROP ROLE replaced_owner;
