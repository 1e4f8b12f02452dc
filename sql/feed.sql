-- The feed: order, gaps, the caller's own events, filters, the settled horizon, cursors, refusals.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('feeds');

-- an empty store
SELECT arbiter.feed_horizon('feeds');
SELECT f.position FROM arbiter.read_feed('feeds') AS f;
CALL arbiter.settle_feed('feeds');
SELECT f.settled FROM feeds.feed AS f;

-- the order of positions; what was rolled back leaves a gap that the feed passes
SELECT arbiter.append('feeds', 'order-1', -1, 'Placed', '{"n": 1}');
SELECT arbiter.append('feeds', 'order-2', -1, 'Placed', '{"n": 2}');
BEGIN;
SELECT arbiter.append('feeds', 'order-3', -1, 'Placed', '{}');
ROLLBACK;
SELECT arbiter.append('feeds', 'customer-1', -1, 'Registered', '{}', '{"$correlation_id": "c"}');
SELECT arbiter.append('feeds', 'order-1', 0, 'Paid', '{}');
SELECT f.position, f.stream, f.revision, f.type, f.data, f.metadata FROM arbiter.read_feed('feeds') AS f;
SELECT f.position FROM arbiter.read_feed('feeds', max_count => 2) AS f;
SELECT f.position FROM arbiter.read_feed('feeds', after => 2, max_count => 1) AS f;
SELECT f.position FROM arbiter.read_feed('feeds', 5) AS f;
SELECT f.position FROM arbiter.read_feed('feeds', max_count => 0) AS f;
SELECT arbiter.feed_horizon('feeds'), arbiter.feed_horizon('feeds', 3);

-- filters, and the rows they are the same as
SELECT f.position, f.type FROM arbiter.read_feed('feeds', types => ARRAY['Paid', 'Registered']) AS f;
SELECT f.position, f.stream FROM arbiter.read_feed('feeds', category => 'order') AS f;
SELECT f.position FROM arbiter.read_feed('feeds', 1, 1, ARRAY['Placed'], 'order') AS f;
SELECT f.position FROM arbiter.read_feed('feeds', types => '{}') AS f;
SELECT f.position FROM arbiter.read_feed('feeds', category => 'nothing') AS f;
SELECT e.position FROM feeds.events AS e
 WHERE e.position OPERATOR(pg_catalog.<=) arbiter.feed_horizon('feeds') ORDER BY e.position;

-- a transaction's own events can still roll back: it is not handed them
BEGIN;
SAVEPOINT s;
SELECT arbiter.append('feeds', 'order-4', -1, 'Placed', '{}');
ROLLBACK TO s;
SELECT arbiter.append('feeds', 'order-4', -1, 'Placed', '{}');
SELECT pg_catalog.max(f.position) FROM arbiter.read_feed('feeds') AS f;
SELECT arbiter.feed_horizon('feeds');
SELECT pg_catalog.max(f.position) FROM arbiter.read_feed('feeds', category => 'order') AS f;
SELECT b.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() AS mine, b.gid,
       b.since OPERATOR(pg_catalog.=) pg_catalog.now() AS since_begin, b.first_position
  FROM arbiter.feed_blockers('feeds') AS b;
CALL arbiter.wait_for_events('feeds', 5, '1 hour');
COMMIT;
SELECT pg_catalog.max(f.position) FROM arbiter.read_feed('feeds') AS f;
SELECT pg_catalog.count(*) FROM arbiter.feed_blockers('feeds');

-- one statement cannot outrun itself: what it appends is behind its snapshot
SELECT a.revision, arbiter.feed_horizon('feeds') OPERATOR(pg_catalog.<) 8 AS behind
  FROM arbiter.append('feeds', 'order-5', -1, 'Placed', '{}') AS a (revision);

-- recording the horizon: forwards, and never further than it is, whoever writes
CALL arbiter.settle_feed('feeds');
SELECT f.settled FROM feeds.feed AS f;
CALL arbiter.settle_feed('feeds');
UPDATE feeds.feed SET settled = 7;
\echo :SQLSTATE
UPDATE feeds.feed SET settled = 9;
\echo :SQLSTATE
DELETE FROM feeds.feed;
\echo :SQLSTATE
TRUNCATE feeds.feed;
\echo :SQLSTATE

-- cursors
SELECT arbiter.cursor('feeds', 'mailer');
SELECT arbiter.save_cursor('feeds', 'mailer', 2);
SELECT arbiter.save_cursor('feeds', 'mailer', reached => 1);
SELECT arbiter.cursor('feeds', 'mailer'), arbiter.cursor('feeds', 'other');
SELECT arbiter.save_cursor('feeds', 'mailer', 9);
\echo :SQLSTATE
SELECT arbiter.save_cursor('feeds', 'mailer', -1);
\echo :SQLSTATE
SELECT arbiter.save_cursor('feeds', '', 1);
\echo :SQLSTATE
UPDATE feeds.cursors SET position = 1;
\echo :SQLSTATE
UPDATE feeds.cursors SET consumer = 'other';
\echo :SQLSTATE
UPDATE feeds.cursors SET position = 3;
DELETE FROM feeds.cursors;
SELECT arbiter.cursor('feeds', 'mailer');

-- waiting: at once, in vain
CALL arbiter.wait_for_events('feeds', 0);
CALL arbiter.wait_for_events('feeds', 8, '10ms');
CALL arbiter.wait_for_events('feeds', 8, timeout => '0');
BEGIN ISOLATION LEVEL REPEATABLE READ;
CALL arbiter.wait_for_events('feeds', 8, '1 hour');
COMMIT;
BEGIN;
SELECT arbiter.lock_entity('order-1');
CALL arbiter.wait_for_events('feeds', 8, '1 hour');
COMMIT;
BEGIN READ ONLY;
CALL arbiter.wait_for_events('feeds', 8, '10ms');
SELECT pg_catalog.count(*) FROM arbiter.read_feed('feeds');
SELECT arbiter.feed_horizon('feeds');
CALL arbiter.settle_feed('feeds');
\echo :SQLSTATE
ROLLBACK;

-- refusals
SELECT * FROM arbiter.read_feed('feeds', -1);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('feeds', NULL);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('feeds', 9223372036854775807);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('feeds', 9);
\echo :SQLSTATE
SELECT arbiter.feed_horizon('feeds', 9);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('feeds', max_count => -1);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('feeds', types => ARRAY['Paid', NULL]);
\echo :SQLSTATE
SELECT * FROM arbiter.read_feed('none');
\echo :SQLSTATE
CALL arbiter.wait_for_events('feeds', 0, '-1s');
\echo :SQLSTATE

-- a sequence that somebody changed
ALTER SEQUENCE feeds.events_position CACHE 10;
SELECT * FROM arbiter.read_feed('feeds');
\echo :SQLSTATE
SELECT arbiter.append('feeds', 'order-6', -1, 'Placed', '{}');
\echo :SQLSTATE
ALTER SEQUENCE feeds.events_position CACHE 1 CYCLE;
SELECT arbiter.feed_horizon('feeds');
\echo :SQLSTATE
ALTER SEQUENCE feeds.events_position NO CYCLE INCREMENT 1000;
SELECT arbiter.append('feeds', 'order-6', -1, 'Placed', '{}'), arbiter.append('feeds', 'order-7', -1, 'Placed', '{}');
SELECT f.position FROM arbiter.read_feed('feeds', 8) AS f;
-- far away, and at the very end
SELECT pg_catalog.setval('feeds.events_position', 9223372036854774000);
SELECT arbiter.append('feeds', 'order-8', -1, 'Placed', '{}');
ALTER SEQUENCE feeds.events_position INCREMENT 1;
SELECT pg_catalog.setval('feeds.events_position', 9223372036854775806, false);
SELECT arbiter.append('feeds', 'order-9', -1, 'Placed', '{}');
SELECT f.position FROM arbiter.read_feed('feeds', 8) AS f;
SELECT arbiter.feed_horizon('feeds');
SELECT arbiter.append('feeds', 'order-10', -1, 'Placed', '{}');
\echo :SQLSTATE
SELECT arbiter.feed_horizon('feeds');
-- set back behind its events
SELECT pg_catalog.setval('feeds.events_position', 3);
SELECT * FROM arbiter.read_feed('feeds');
\echo :SQLSTATE

-- rights: those of a reader of the table, and of its row security
SELECT arbiter.create_store('guarded');
SELECT arbiter.append('guarded', 'a-1', -1, 'A', '{}'), arbiter.append('guarded', 'b-1', -1, 'B', '{}'),
       arbiter.append('guarded', 'a-2', -1, 'A', '{}');
-- a column of the owner's is not the feed's
ALTER TABLE guarded.events ADD COLUMN note pg_catalog.text DEFAULT 'kept';
SELECT arbiter.append('guarded', 'a-2', 0, 'A', '{}');
SELECT f.position, f.stream, f.revision, f.metadata FROM arbiter.read_feed('guarded', 2) AS f;
CREATE ROLE feed_reader;
GRANT USAGE ON SCHEMA arbiter, guarded TO feed_reader;
SET ROLE feed_reader;
SELECT * FROM arbiter.read_feed('guarded');
\echo :SQLSTATE
SELECT arbiter.feed_horizon('guarded');
\echo :SQLSTATE
CALL arbiter.wait_for_events('guarded', 0, '0');
\echo :SQLSTATE
RESET ROLE;
GRANT SELECT ON guarded.events TO feed_reader;
SET ROLE feed_reader;
SELECT f.position FROM arbiter.read_feed('guarded') AS f;
SELECT arbiter.feed_horizon('guarded');
CALL arbiter.settle_feed('guarded');
\echo :SQLSTATE
SELECT arbiter.save_cursor('guarded', 'c', 1);
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE guarded.events ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON guarded.events FOR SELECT TO feed_reader USING (type OPERATOR(pg_catalog.=) 'A');
SET ROLE feed_reader;
SELECT f.position, f.type FROM arbiter.read_feed('guarded') AS f;
SELECT arbiter.feed_horizon('guarded');
RESET ROLE;
SELECT arbiter.drop_store('guarded', force => true);
REVOKE USAGE ON SCHEMA arbiter FROM feed_reader;
DROP ROLE feed_reader;
SELECT arbiter.drop_store('feeds', force => true);
