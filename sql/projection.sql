-- Projections driven by their consumer: the registry, the hook, what failed.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('proj');

-- create_projection: identical again is a no-op, another definition is told apart
SELECT arbiter.create_projection('proj', 'mailer', 'external');
SELECT arbiter.create_projection('proj', 'mailer', 'external');
SELECT arbiter.create_projection('proj', 'mailer', 'external', strict => false);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'mailer', 'external', max_attempts => 3);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'mailer', 'external', category => 'order');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'some', 'external', types => ARRAY['B', 'A', 'B'], category => 'order',
                                 strict => false, reconciler => 'external', reconcile_every => '1 hour');
SELECT arbiter.create_projection('proj', 'some', 'external', types => ARRAY['A', 'B'], category => 'order',
                                 strict => false, reconciler => 'external', reconcile_every => '60 minutes');
SELECT arbiter.create_projection('proj', 'some', 'external', types => ARRAY['A'], category => 'order',
                                 strict => false, reconciler => 'external', reconcile_every => '1 hour');
\echo :SQLSTATE
SELECT projection, kind, strict, max_attempts, handler, reconciler, reconcile_every, types, category,
       owner OPERATOR(pg_catalog.=) CURRENT_USER::pg_catalog.text AS mine
  FROM proj.projections ORDER BY projection;

-- bad input
SELECT arbiter.create_projection(NULL, 'p', 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('', 'p', 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('nowhere', 'p', 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', NULL, 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', '', 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', pg_catalog.repeat('x', 257), 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', NULL);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'internal');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'transactional', 'f');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'async', 'f');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', 'f');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconciler => 'external');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconcile_every => '1 hour');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconciler => 'external', reconcile_every => '0');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconciler => 'external', reconcile_every => '-1 hour');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconciler => 'external', reconcile_every => '250000 years');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', reconciler => 'f', reconcile_every => '1 hour');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', types => '{}');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', types => ARRAY[NULL]::pg_catalog.text[], strict => false);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', types => ARRAY[''], strict => false);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', types => ARRAY['A']);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', category => 'a-b');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', strict => NULL);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', max_attempts => 0);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'p', 'external', max_attempts => NULL);
\echo :SQLSTATE

-- the hook: an unknown entity starts at 0, each revision is new once
SELECT arbiter.last_revision('proj', 'mailer', 'order-1');
SELECT arbiter.advance('proj', 'mailer', 'order-1', 0);
SELECT arbiter.advance('proj', 'mailer', 'order-1', 0);
SELECT arbiter.advance('proj', 'mailer', 'order-1', 1);
SELECT arbiter.advance('proj', 'mailer', 'order-1', 0);
SELECT arbiter.last_revision('proj', 'mailer', 'order-1');
SELECT arbiter.advance('proj', 'mailer', 'order-1', 3);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', 'order-2', 1);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', 'order-1', 9223372036854775807);
\echo :SQLSTATE
SELECT arbiter.last_revision('proj', 'mailer', 'order-1'), arbiter.last_revision('proj', 'mailer', 'order-2');
-- one that is shown a selection, in order
SELECT arbiter.advance('proj', 'some', 'order-1', 7);
SELECT arbiter.advance('proj', 'some', 'order-1', 6);
SELECT arbiter.advance('proj', 'some', 'order-1', 9223372036854775807);
SELECT arbiter.advance('proj', 'some', 'order-1', 9223372036854775807);
-- a uuid is its lower-case text
SELECT arbiter.advance('proj', 'mailer', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'::pg_catalog.uuid, 0);
SELECT arbiter.advance('proj', 'mailer', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', 0);
SELECT arbiter.last_revision('proj', 'mailer', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'::pg_catalog.uuid);
-- many in one statement, and twice in one transaction
SELECT r, arbiter.advance('proj', 'mailer', 'order-3', r)
  FROM pg_catalog.unnest(ARRAY[0, 1, 1, 2, 0, 3]::pg_catalog.int8[]) AS r;
-- more versions of an offset than a page holds, and an index of the user's own
SELECT pg_catalog.count(*) FROM pg_catalog.generate_series(0, 499) AS r WHERE arbiter.advance('proj', 'mailer', 'long', r);
CREATE INDEX offsets_by_revision ON proj.offsets (revision);
SELECT pg_catalog.count(*) FROM pg_catalog.generate_series(400, 599) AS r WHERE arbiter.advance('proj', 'mailer', 'long', r);
SET enable_seqscan = off;
SELECT o.entity FROM proj.offsets AS o WHERE o.revision OPERATOR(pg_catalog.=) 599;
SELECT o.revision FROM proj.offsets AS o
 WHERE o.projection OPERATOR(pg_catalog.=) 'mailer' AND o.entity OPERATOR(pg_catalog.=) 'long';
RESET enable_seqscan;
DROP INDEX proj.offsets_by_revision;
-- entities are told apart byte by byte
SELECT e, arbiter.advance('proj', 'mailer', e, 0)
  FROM pg_catalog.unnest(ARRAY['a', 'A', ' a', 'a ', 'é', E'e\u0301', 'a,b', 'a%', E'a\nb', 'a''"']) AS e;

-- bad input
SELECT arbiter.advance(NULL, 'mailer', 'e', 0);
\echo :SQLSTATE
SELECT arbiter.advance('nowhere', 'mailer', 'e', 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', NULL, 'e', 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', '', 'e', 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'unknown', 'e', 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', NULL::pg_catalog.text, 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', NULL::pg_catalog.uuid, 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', '', 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', pg_catalog.repeat('x', 1025), 0);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', pg_catalog.repeat('x', 1024), 0);
SELECT arbiter.advance('proj', 'mailer', 'e', NULL);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', 'e', -1);
\echo :SQLSTATE
SELECT arbiter.last_revision('proj', 'unknown', 'e');
\echo :SQLSTATE
SELECT arbiter.last_revision('proj', 'mailer', '');
\echo :SQLSTATE
SELECT arbiter.last_revision('proj', 'mailer', NULL::pg_catalog.text);
\echo :SQLSTATE

-- start_at: the next revision, and never back
SELECT arbiter.start_at('proj', 'mailer', 'seeded', 5);
SELECT arbiter.last_revision('proj', 'mailer', 'seeded');
SELECT arbiter.advance('proj', 'mailer', 'seeded', 4);
SELECT arbiter.advance('proj', 'mailer', 'seeded', 6);
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'mailer', 'seeded', 5);
SELECT arbiter.start_at('proj', 'mailer', 'seeded', 6);
SELECT arbiter.start_at('proj', 'mailer', 'seeded', 5);
SELECT arbiter.start_at('proj', 'mailer', 'seeded', 0);
SELECT arbiter.start_at('proj', 'mailer', 'seeded', 100);
SELECT arbiter.last_revision('proj', 'mailer', 'seeded');
SELECT arbiter.start_at('proj', 'mailer', 'fresh', 0);
SELECT arbiter.last_revision('proj', 'mailer', 'fresh');
SELECT arbiter.start_at('proj', 'mailer', '6ba7b810-9dad-11d1-80b4-00c04fd430c9'::pg_catalog.uuid, 3);
SELECT arbiter.start_at('proj', 'mailer', 'fresh', -1);
\echo :SQLSTATE
SELECT arbiter.start_at('proj', 'mailer', 'fresh', NULL);
\echo :SQLSTATE
SELECT arbiter.start_at('proj', 'unknown', 'fresh', 0);
\echo :SQLSTATE

-- savepoints and exception blocks
BEGIN;
SELECT arbiter.advance('proj', 'mailer', 'saved', 0);
SAVEPOINT s;
SELECT arbiter.advance('proj', 'mailer', 'saved', 1);
ROLLBACK TO s;
SELECT arbiter.advance('proj', 'mailer', 'saved', 1);
SAVEPOINT t;
SELECT arbiter.advance('proj', 'mailer', 'new', 0);
ROLLBACK TO t;
SELECT arbiter.advance('proj', 'mailer', 'new', 0);
COMMIT;
DO $$
BEGIN
    BEGIN
        PERFORM arbiter.advance('proj', 'mailer', 'saved', 2);
        RAISE EXCEPTION 'the effect failed';
    EXCEPTION WHEN raise_exception THEN
        NULL;
    END;
    BEGIN
        PERFORM arbiter.advance('proj', 'mailer', 'saved', 4);
    EXCEPTION WHEN SQLSTATE 'RB010' THEN
        RAISE NOTICE 'a gap';
    END;
END
$$;
SELECT arbiter.last_revision('proj', 'mailer', 'saved');
BEGIN;
SELECT arbiter.advance('proj', 'mailer', 'saved', 2);
ROLLBACK;
SELECT arbiter.advance('proj', 'mailer', 'saved', 2);

-- one outcome in every isolation level
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT arbiter.advance('proj', 'mailer', 'levels', 0), arbiter.advance('proj', 'mailer', 'levels', 0);
SELECT arbiter.advance('proj', 'mailer', 'levels', 1);
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT arbiter.advance('proj', 'mailer', 'levels', 1), arbiter.advance('proj', 'mailer', 'levels', 2);
SELECT arbiter.advance('proj', 'mailer', 'levels', 5);
\echo :SQLSTATE
COMMIT;
BEGIN READ ONLY;
SELECT arbiter.last_revision('proj', 'mailer', 'saved');
SELECT arbiter.advance('proj', 'mailer', 'saved', 3);
\echo :SQLSTATE
COMMIT;

-- fail_event: counted, put off longer each time, gone once applied
SELECT arbiter.create_projection('proj', 'strict', 'external');
SELECT arbiter.advance('proj', 'strict', 'order-1', 0);
CREATE FUNCTION pg_temp.pause(attempt pg_catalog.timestamptz) RETURNS pg_catalog.text LANGUAGE sql AS
    $$ SELECT CASE WHEN attempt OPERATOR(pg_catalog.-) pg_catalog.clock_timestamp()
                   BETWEEN '1 microsecond'::pg_catalog.interval AND '10 minutes'
              THEN 'later, not too late' END $$;
SELECT pg_temp.pause(arbiter.fail_event('proj', 'strict', 'order-1', 1, 'smtp: 421', '{"type": "Placed"}'));
SELECT pg_temp.pause(arbiter.fail_event('proj', 'strict', 'order-1', 1, 'smtp: 451'));
SELECT projection, entity, revision, attempts, error, event,
       next_attempt_at OPERATOR(pg_catalog.-) last_failed_at BETWEEN '1 second'::pg_catalog.interval AND '2 seconds' AS second_pause,
       first_failed_at OPERATOR(pg_catalog.<) last_failed_at AS twice
  FROM proj.failures;
SELECT arbiter.fail_event('proj', 'strict', 'order-1', 0, 'too late');
SELECT arbiter.fail_event('proj', 'strict', 'order-1', 2, 'too early');
\echo :SQLSTATE
SELECT arbiter.advance('proj', 'strict', 'order-1', 1);
SELECT pg_catalog.count(*) FROM proj.failures;
SELECT pg_temp.pause(arbiter.fail_event('proj', 'strict', 'order-1', 2, 'next'));
SELECT revision, attempts, error FROM proj.failed_events;
SELECT pg_temp.pause(arbiter.fail_event('proj', 'strict', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::pg_catalog.uuid, 0, 'by uuid'));
-- bad input
SELECT arbiter.fail_event('proj', 'unknown', 'e', 0, 'error');
\echo :SQLSTATE
SELECT arbiter.fail_event('proj', 'strict', '', 0, 'error');
\echo :SQLSTATE
SELECT arbiter.fail_event('proj', 'strict', 'e', -1, 'error');
\echo :SQLSTATE
SELECT arbiter.fail_event('proj', 'strict', 'e', NULL, 'error');
\echo :SQLSTATE
SELECT arbiter.fail_event('proj', 'strict', 'e', 0, NULL);
\echo :SQLSTATE
SELECT arbiter.fail_event('proj', 'strict', 'e', 0, '');
\echo :SQLSTATE

-- pass_event: a debt, and only where somebody pays
SELECT arbiter.pass_event('proj', 'strict', 'order-1', 2, 'no one would notice');
\echo :SQLSTATE
SELECT pg_temp.pause(arbiter.fail_event('proj', 'some', 'order-9', 3, 'smtp: 421', '{"type": "A"}'));
SELECT arbiter.pass_event('proj', 'some', 'order-9', 3, 'smtp: 550');
SELECT arbiter.pass_event('proj', 'some', 'order-9', 3, 'smtp: 550');
SELECT arbiter.pass_event('proj', 'some', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::pg_catalog.uuid, 0, 'by uuid');
SELECT arbiter.last_revision('proj', 'some', 'order-9');
SELECT projection, entity, revision, attempts, error, event, passed_at IS NOT NULL AS passed FROM proj.debts ORDER BY entity;
SELECT pg_catalog.count(*) FROM proj.failures AS f WHERE f.projection OPERATOR(pg_catalog.=) 'some';

-- the doctor knows what stands still and what is owed
SELECT d.severity, d.subject, pg_catalog.regexp_replace(d.problem, 'since .*', 'since then') AS problem, d.remedy
  FROM arbiter.doctor('proj') AS d;

-- raw writers: an offset is raised by calls only
UPDATE proj.offsets AS o SET revision = 0 WHERE o.entity OPERATOR(pg_catalog.=) 'seeded';
\echo :SQLSTATE
UPDATE proj.offsets AS o SET revision = 1000;
\echo :SQLSTATE
DELETE FROM proj.offsets;
\echo :SQLSTATE
TRUNCATE proj.offsets;
\echo :SQLSTATE
TRUNCATE proj.projections CASCADE;
\echo :SQLSTATE
INSERT INTO proj.offsets VALUES ('mailer', 'seeded', 7) ON CONFLICT (projection, entity) DO UPDATE SET revision = 7;
\echo :SQLSTATE
INSERT INTO proj.offsets VALUES ('mailer', 'seeded', 7);
\echo :SQLSTATE
INSERT INTO proj.offsets VALUES ('unknown', 'seeded', 7);
\echo :SQLSTATE
INSERT INTO proj.offsets VALUES ('mailer', 'by hand', -1);
\echo :SQLSTATE
INSERT INTO proj.offsets VALUES ('mailer', 'by hand', 7);
SELECT arbiter.advance('proj', 'mailer', 'by hand', 8);
DELETE FROM proj.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) 'mailer';
\echo :SQLSTATE

-- privileges: USAGE and the tables' grants, nothing else
CREATE ROLE projection_consumer;
GRANT USAGE ON SCHEMA arbiter TO projection_consumer;
SET ROLE projection_consumer;
SELECT arbiter.advance('proj', 'mailer', 'order-1', 2);
\echo :SQLSTATE
RESET ROLE;
GRANT USAGE ON SCHEMA proj TO projection_consumer;
GRANT SELECT ON proj.projections TO projection_consumer;
GRANT SELECT, INSERT ON proj.offsets TO projection_consumer;
SET ROLE projection_consumer;
SELECT arbiter.last_revision('proj', 'mailer', 'order-1');
SELECT arbiter.advance('proj', 'mailer', 'order-1', 2);
\echo :SQLSTATE
RESET ROLE;
GRANT UPDATE ON proj.offsets TO projection_consumer;
SET ROLE projection_consumer;
SELECT arbiter.advance('proj', 'mailer', 'order-1', 2);
SELECT arbiter.start_at('proj', 'mailer', 'order-4', 2);
SELECT arbiter.fail_event('proj', 'mailer', 'order-1', 3, 'error');
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'other', 'external');
\echo :SQLSTATE
SELECT arbiter.drop_projection('proj', 'mailer', true);
\echo :SQLSTATE
RESET ROLE;
GRANT SELECT, INSERT, UPDATE, DELETE ON proj.failed_events TO projection_consumer;
SET ROLE projection_consumer;
SELECT pg_temp.pause(arbiter.fail_event('proj', 'mailer', 'order-1', 3, 'error'));
RESET ROLE;
ALTER TABLE proj.offsets ENABLE ROW LEVEL SECURITY;
SET ROLE projection_consumer;
SELECT arbiter.advance('proj', 'mailer', 'order-1', 3);
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE proj.offsets DISABLE ROW LEVEL SECURITY;

-- a store without the trigger is unarmed
DROP TRIGGER zz_arbiter_offsets ON proj.offsets;
SELECT arbiter.advance('proj', 'mailer', 'order-1', 3);
\echo :SQLSTATE
SELECT arbiter.last_revision('proj', 'mailer', 'order-1');
SELECT arbiter.upgrade_store('proj');
SELECT arbiter.advance('proj', 'mailer', 'order-1', 3);

-- drop_projection
SELECT arbiter.drop_projection('proj', 'unknown');
\echo :SQLSTATE
SELECT arbiter.drop_projection('proj', 'mailer');
\echo :SQLSTATE
SELECT arbiter.drop_projection('proj', 'mailer', NULL);
\echo :SQLSTATE
SELECT arbiter.drop_projection('proj', NULL);
\echo :SQLSTATE
SELECT arbiter.drop_projection(NULL, 'mailer');
\echo :SQLSTATE
SELECT arbiter.drop_projection('proj', 'mailer', true);
SELECT arbiter.advance('proj', 'mailer', 'order-1', 4);
\echo :SQLSTATE
SELECT arbiter.create_projection('proj', 'mailer', 'external');
SELECT arbiter.last_revision('proj', 'mailer', 'order-1');
SELECT arbiter.drop_projection('proj', 'mailer');
SELECT pg_catalog.count(*) FROM proj.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) 'mailer';

REVOKE ALL ON proj.projections, proj.offsets, proj.failed_events FROM projection_consumer;
REVOKE ALL ON SCHEMA proj, arbiter FROM projection_consumer;
DROP ROLE projection_consumer;
SELECT arbiter.drop_store('proj', true);
