-- What a person does about a projection: tries again, decides, compares, begins anew, waits.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('mend');
CREATE SCHEMA app;
CREATE TABLE app.mails (stream pg_catalog.text, revision pg_catalog.int8, PRIMARY KEY (stream, revision));
CREATE TABLE app.broken (stream pg_catalog.text);
CREATE FUNCTION app.mail(event arbiter.recorded_event) RETURNS pg_catalog.void LANGUAGE plpgsql
    AS 'BEGIN
            IF EXISTS (SELECT FROM app.broken AS b WHERE b.stream OPERATOR(pg_catalog.=) event.stream) THEN
                RAISE EXCEPTION ''no route to %'', event.stream;
            END IF;
            INSERT INTO app.mails VALUES (event.stream, event.revision);
        END';
CREATE FUNCTION app.missing(projection pg_catalog.text)
    RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT e.stream, e.revision, pg_catalog.jsonb_build_object(''of'', projection) FROM mend.events AS e
         WHERE NOT pg_catalog.starts_with(e.type, ''$'') AND NOT EXISTS (SELECT FROM app.mails AS m
                WHERE m.stream OPERATOR(pg_catalog.=) e.stream AND m.revision OPERATOR(pg_catalog.=) e.revision)';
CREATE FUNCTION app.nothing(projection pg_catalog.text)
    RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT NULL::pg_catalog.text, NULL::pg_catalog.int8, NULL::pg_catalog.jsonb WHERE false';
CREATE FUNCTION app.owes() RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, attempts pg_catalog.int8, error pg_catalog.text,
        event pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT d.entity, d.revision, d.attempts, d.error, d.event FROM mend.debts AS d ORDER BY d.entity, d.revision';
SELECT arbiter.create_projection('mend', 'mailer', 'async', 'app.mail', 'app.missing', '1 day', max_attempts => 1);
SELECT arbiter.append('mend', s, -2, 'Asked', '{}') FROM pg_catalog.unnest(ARRAY['a-1', 'a-2', 'a-1', 'a-3']) AS s;
INSERT INTO app.broken VALUES ('a-2');

-- nothing to do: what the runner has not come to is not missing
SELECT * FROM arbiter.reconcile('mend', 'mailer');
SELECT * FROM arbiter.run_projection('mend', 'mailer');
SELECT * FROM app.owes();
-- an effect that was reported successful, and then lost
DELETE FROM app.mails AS m WHERE m.stream OPERATOR(pg_catalog.=) 'a-1' AND m.revision OPERATOR(pg_catalog.=) 1;
SELECT * FROM arbiter.reconcile('mend', 'mailer');
SELECT * FROM app.owes();
SELECT pg_catalog.count(*) FROM app.mails;
SELECT * FROM arbiter.reconcile('mend', 'mailer');
DELETE FROM app.broken;
SELECT * FROM arbiter.reconcile('mend', 'mailer');
SELECT * FROM app.owes();
SELECT r.projection, r.checked, r.repaired, r.failed FROM mend.reconciliations AS r;
SELECT m.stream, m.revision FROM app.mails AS m ORDER BY m.stream, m.revision;

-- named twice is missing once; nothing is missing before the first revision
CREATE FUNCTION app.confused(projection pg_catalog.text)
    RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT ''a-1'', 1, NULL::pg_catalog.jsonb UNION ALL SELECT ''a-1'', 1, ''{}''';
SELECT arbiter.create_projection('mend', 'confused', 'async', 'app.mail', 'app.confused', '1 day');
DELETE FROM app.mails;
SELECT applied FROM arbiter.run_projection('mend', 'confused');
DELETE FROM app.mails AS m WHERE m.stream OPERATOR(pg_catalog.=) 'a-1' AND m.revision OPERATOR(pg_catalog.=) 1;
SELECT * FROM arbiter.reconcile('mend', 'confused');
CREATE OR REPLACE FUNCTION app.confused(projection pg_catalog.text)
    RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT ''a-1'', -1, NULL::pg_catalog.jsonb';
SELECT * FROM arbiter.reconcile('mend', 'confused');
\echo :SQLSTATE
SELECT * FROM app.owes();
SELECT arbiter.drop_projection('mend', 'confused', force => true);

-- a reconciler that always answers nothing leaves debts where they are
SELECT arbiter.create_projection('mend', 'silent', 'async', 'app.mail', 'app.nothing', '1 day', max_attempts => 1);
INSERT INTO app.broken VALUES ('a-1'), ('a-2'), ('a-3');
SELECT * FROM arbiter.run_projection('mend', 'silent');
SELECT * FROM arbiter.reconcile('mend', 'silent');
SELECT d.projection, d.entity, d.revision, d.attempts FROM mend.debts AS d ORDER BY d.entity, d.revision;
-- they are paid by trying again, or by somebody who decides
SELECT arbiter.resolve_failure('mend', 'silent', 'a-1', 0, 'sent by hand');
SELECT arbiter.resolve_failure('mend', 'silent', 'a-1', 0, 'sent by hand');
DELETE FROM app.mails;
DELETE FROM app.broken AS b WHERE b.stream OPERATOR(pg_catalog.<>) 'a-2';
SELECT * FROM arbiter.retry_failures('mend', 'silent');
SELECT d.projection, d.entity, d.revision, d.attempts, d.error FROM mend.debts AS d ORDER BY d.entity, d.revision;
SELECT r.entity, r.revision, r.attempts, r.error, r.reason FROM mend.resolutions AS r;
-- what is gone from the log cannot be paid
SELECT arbiter.redact('mend', 'a-2', 0, 'a request');
SELECT * FROM arbiter.retry_failures('mend', 'silent');
SELECT d.error FROM mend.debts AS d;
SELECT arbiter.resolve_failure('mend', 'silent', 'a-2', 0, 'forgotten on request');
SELECT pg_catalog.count(*) FROM mend.debts AS d;

-- a stream that is held back: tried before it is due, and sent on by somebody who decides
SELECT arbiter.create_projection('mend', 'strict', 'transactional', 'app.mail');
DELETE FROM app.mails;
INSERT INTO app.broken VALUES ('a-1');
SELECT * FROM arbiter.run_projection('mend', 'strict');
SELECT f.entity, f.revision, f.attempts FROM mend.failures AS f;
SELECT * FROM arbiter.retry_failures('mend', 'strict');
SELECT f.entity, f.revision, f.attempts FROM mend.failures AS f;
SELECT arbiter.resolve_failure('mend', 'strict', 'a-1', 1, 'too early');
SELECT arbiter.resolve_failure('mend', 'strict', 'a-1', 0, 'no such customer');
SELECT pg_catalog.count(*) FROM mend.failures AS f;
DELETE FROM app.broken;
SELECT * FROM arbiter.run_projection('mend', 'strict');
SELECT arbiter.last_revision('mend', 'strict', 'a-1');
SELECT m.stream, m.revision FROM app.mails AS m ORDER BY m.stream, m.revision;
SELECT pg_catalog.count(*) FROM mend.failed_events AS f;

-- rebuilt in place: exactly as many events as there are
BEGIN;
SELECT arbiter.rebuild_projection('mend', 'strict');
DELETE FROM app.mails;
COMMIT;
SELECT s.position, s.lag_events FROM mend.projection_status AS s WHERE s.projection OPERATOR(pg_catalog.=) 'strict';
SELECT pg_catalog.count(*) FROM mend.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) 'strict';
SELECT * FROM arbiter.run_projection('mend', 'strict', 1);
SELECT * FROM arbiter.run_projection('mend', 'strict', 4);
SELECT * FROM arbiter.run_projection('mend', 'strict', 4);
SELECT m.stream, m.revision FROM app.mails AS m ORDER BY m.stream, m.revision;
SELECT arbiter.create_store('empty');
SELECT arbiter.create_projection('empty', 'p', 'transactional', 'app.mail');
SELECT arbiter.rebuild_projection('empty', 'p');
SELECT * FROM arbiter.run_projection('empty', 'p');
SELECT arbiter.drop_store('empty');

-- waiting
CALL arbiter.wait_for_projection('mend', 'strict', 'a-1', 1);
CALL arbiter.wait_for_projection('mend', 'strict', 'a-1', 2, '10 ms');
SELECT arbiter.append('mend', 'a-1', -2, 'Asked', '{}');
CALL arbiter.wait_for_projection('mend', 'strict', 'a-1', 2, '0');
BEGIN;
SELECT arbiter.append('mend', 'a-9', -2, 'Asked', '{}');
CALL arbiter.wait_for_projection('mend', 'strict', 'a-9', 0);
ROLLBACK;
SELECT * FROM arbiter.run_projection('mend', 'strict');
CALL arbiter.wait_for_projection('mend', 'strict', 'a-1', 2);
-- of what it is not shown, the cursor tells; unless the stream is held back
SELECT arbiter.create_projection('mend', 'some', 'transactional', 'app.mail', types => ARRAY['Other'], strict => false);
CALL arbiter.wait_for_projection('mend', 'some', 'a-1', 2, '0');
SELECT * FROM arbiter.run_projection('mend', 'some');
CALL arbiter.wait_for_projection('mend', 'some', 'a-1', 2, '0');

-- an outside reconciler, and one that is overdue
SELECT arbiter.create_projection('mend', 'outside', 'external', reconciler => 'external', reconcile_every => '1 hour');
SELECT arbiter.record_reconciliation('mend', 'outside', 100, 2, 1, '{"by": "cron"}');
SELECT r.checked, r.repaired, r.failed, r.detail FROM mend.reconciliations AS r WHERE r.projection OPERATOR(pg_catalog.=) 'outside';
SELECT d.subject, d.problem FROM arbiter.doctor('mend') AS d;
UPDATE mend.reconciliations SET reconciled_at = '2026-01-01 00:00:00+00';
SET timezone = 'UTC';
SELECT d.severity, d.subject, d.problem, d.remedy FROM arbiter.doctor('mend') AS d;
SELECT s.projection, s.reconcile_overdue FROM mend.projection_status AS s ORDER BY s.projection;

-- bad input
SELECT arbiter.reconcile('mend', 'unknown');
\echo :SQLSTATE
SELECT arbiter.reconcile('mend', 'strict');
\echo :SQLSTATE
SELECT arbiter.reconcile('mend', 'outside');
\echo :SQLSTATE
SELECT arbiter.record_reconciliation('mend', 'mailer', 1, 1, 0);
\echo :SQLSTATE
SELECT arbiter.record_reconciliation('mend', 'outside', 1, -1, 0);
\echo :SQLSTATE
SELECT arbiter.record_reconciliation('mend', 'outside', 1, NULL, 0);
\echo :SQLSTATE
SELECT arbiter.rebuild_projection('mend', 'outside');
\echo :SQLSTATE
SELECT arbiter.rebuild_projection('mend', 'unknown');
\echo :SQLSTATE
SELECT arbiter.retry_failures('mend', 'strict', 0);
\echo :SQLSTATE
SELECT arbiter.resolve_failure('mend', 'unknown', 'a-1', 0, 'r');
\echo :SQLSTATE
SELECT arbiter.resolve_failure('mend', 'strict', 'a-1', 0, '');
\echo :SQLSTATE
SELECT arbiter.resolve_failure('mend', 'strict', 'a-1', 0, NULL);
\echo :SQLSTATE
SELECT arbiter.resolve_failure('mend', 'strict', 'a-1', -1, 'r');
\echo :SQLSTATE
SELECT arbiter.pass_event('mend', 'mailer', 'a-1', 9, 'error');
\echo :SQLSTATE
CALL arbiter.wait_for_projection('mend', 'unknown', 'a-1', 0);
\echo :SQLSTATE
CALL arbiter.wait_for_projection('mend', 'strict', 'a-1', 0, NULL);
\echo :SQLSTATE
CREATE OR REPLACE FUNCTION app.nothing(projection pg_catalog.text)
    RETURNS TABLE (entity pg_catalog.text, revision pg_catalog.int8, detail pg_catalog.jsonb) LANGUAGE sql
    AS 'SELECT NULL::pg_catalog.text, NULL::pg_catalog.int8, NULL::pg_catalog.jsonb';
SELECT arbiter.reconcile('mend', 'silent');
\echo :SQLSTATE
-- an async projection may not be without
SELECT arbiter.create_projection('mend', 'p', 'async', 'app.mail');
\echo :SQLSTATE

-- one that stands still is told from one that is idle
SELECT arbiter.create_store('still');
CREATE TABLE app.past (position pg_catalog.int8, stream pg_catalog.text, revision pg_catalog.int8, id pg_catalog.uuid, type pg_catalog.text,
    data pg_catalog.jsonb, metadata pg_catalog.jsonb, recorded_at pg_catalog.timestamptz);
INSERT INTO app.past VALUES (1, 's', 0, '00000000-0000-4000-8000-000000000001', 'Asked', '{}', '{}', '2026-01-01 00:00:00+00');
SELECT arbiter.import_events('still', 'app.past');
SELECT arbiter.create_projection('still', 'mailer', 'transactional', 'app.mail');
SELECT arbiter.create_projection('still', 'worker', 'transactional');
SELECT d.subject, d.problem FROM arbiter.doctor('still') AS d;
SET session_replication_role = replica;
UPDATE still.projection_cursors SET moved_at = '2026-01-01 00:00:00+00';
RESET session_replication_role;
SELECT d.severity, d.subject, d.problem, d.remedy FROM arbiter.doctor('still') AS d;
CALL arbiter.run_projections('still');
SET session_replication_role = replica;
UPDATE still.projection_cursors SET moved_at = '2026-01-01 00:00:00+00';
RESET session_replication_role;
SELECT d.subject FROM arbiter.doctor('still') AS d;

\set VERBOSITY terse
DROP SCHEMA app CASCADE;
SELECT arbiter.drop_store('mend', true);
SELECT arbiter.drop_store('still', true);
