-- Pools: rows of a table of the user's own are work for many.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');
CREATE SCHEMA pool;
CREATE TABLE pool.contact (
    id pg_catalog.int8 PRIMARY KEY,
    priority pg_catalog.int4,
    status pg_catalog.text NOT NULL DEFAULT 'open',
    owner pg_catalog.varchar(10),
    since pg_catalog.timestamptz,
    token pg_catalog.int8 NOT NULL DEFAULT 0,
    "Odd ""name" pg_catalog.int4
);

-- Without an index it works, and says which is missing.
SELECT arbiter.create_pool('shop', 'contacts', 'pool.contact', 'id', 'owner', 'since', 'token',
                           'status OPERATOR(pg_catalog.=) ''open''', 'priority DESC NULLS LAST');
SELECT pool, relation::pg_catalog.text, key_column, owner_column, since_column, token_column, predicate, order_by FROM shop.pools;
SELECT pg_catalog.pg_get_triggerdef(oid) FROM pg_catalog.pg_trigger
 WHERE tgrelid OPERATOR(pg_catalog.=) 'pool.contact'::pg_catalog.regclass ORDER BY 1;
CREATE INDEX ON "pool"."contact" ("priority" DESC NULLS LAST, "id") WHERE ("owner" IS NULL) AND ((status OPERATOR(pg_catalog.=) 'open'::pg_catalog.text));
-- Identical again, however it is written.
SELECT arbiter.create_pool('shop', 'contacts', 'pool."contact"', 'id', 'owner', 'since', 'token',
                           '(status OPERATOR(pg_catalog.=) ''open''::pg_catalog.text)', '"priority" desc nulls last, id ASC');

-- In order, no more than asked, each to one.
INSERT INTO pool.contact (id, priority) VALUES (1, 1), (2, NULL), (3, 5), (4, 5), (5, 3), (6, 3), (7, 0);
SELECT key, token OPERATOR(pg_catalog.>) 0 AS has_token, "row" OPERATOR(pg_catalog.-) '{since,token}'::pg_catalog.text[] AS "row"
  FROM arbiter.allocate('shop', 'contacts', 'anna', 3);
SELECT key AS k, token AS t FROM arbiter.allocate('shop', 'contacts', 'ben') \gset
\echo :k
SELECT "row" OPERATOR(pg_catalog.->>) 'token' OPERATOR(pg_catalog.=) token::pg_catalog.text AS row_is_new FROM arbiter.allocate('shop', 'contacts', 'ben');
-- What does not meet the predicate, or is locked, or whose time has not come, is passed over.
UPDATE pool.contact SET status = 'closed' WHERE id OPERATOR(pg_catalog.=) 7;
UPDATE pool.contact SET since = 'infinity' WHERE id OPERATOR(pg_catalog.=) 2;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'ben', 10);
UPDATE pool.contact SET since = NULL WHERE id OPERATOR(pg_catalog.=) 2;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'ben', 10);

-- Holding it.
SELECT since AS s FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k \gset
SELECT arbiter.hold_work('shop', 'contacts', :'k', :t, touch => false);
SELECT since OPERATOR(pg_catalog.=) :'s' AS untouched FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k;
SELECT arbiter.hold_work('shop', 'contacts', :'k', :t);
SELECT since OPERATOR(pg_catalog.>) :'s' AS touched FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k;

-- A manager reassigns: a larger token, and the old owner is told who has it.
SELECT arbiter.reassign('shop', 'contacts', :'k', 'carl', 'ben is ill') AS n \gset
SELECT :n OPERATOR(pg_catalog.>) :t AS larger;
\set VERBOSITY sqlstate
SELECT arbiter.hold_work('shop', 'contacts', :'k', :t);
SELECT arbiter.release_work('shop', 'contacts', :'k', :t);
\set VERBOSITY default
DO $$
DECLARE
    detail pg_catalog.text; hint pg_catalog.text;
BEGIN
    PERFORM arbiter.hold_work('shop', 'contacts', '5', 1);
EXCEPTION WHEN SQLSTATE 'RB020' THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RAISE NOTICE '% / % / %', SQLERRM, pg_catalog.regexp_replace(detail, '\d{16}', 'N'), hint;
END
$$;
SELECT pool, key, token OPERATOR(pg_catalog.>) former_token AS larger, owner, former_owner, reason, reassigned_by OPERATOR(pg_catalog.=) SESSION_USER AS by_me
  FROM shop.reassignments;

-- Giving it back: at once, or for later.
SELECT arbiter.release_work('shop', 'contacts', :'k', :n);
SELECT owner, token OPERATOR(pg_catalog.>) :n AS larger FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k;
\set VERBOSITY sqlstate
SELECT arbiter.release_work('shop', 'contacts', :'k', :n);
\set VERBOSITY default
SELECT token AS t FROM arbiter.allocate('shop', 'contacts', 'anna') \gset
SELECT arbiter.release_work('shop', 'contacts', :'k', :t, '1 hour');
SELECT * FROM arbiter.allocate('shop', 'contacts', 'anna');
UPDATE pool.contact SET since = pg_catalog.now() WHERE id OPERATOR(pg_catalog.=) :k;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');
-- A row that is gone.
SELECT arbiter.hold_work('shop', 'contacts', '99', 1);
SELECT arbiter.reassign('shop', 'contacts', '99', 'carl');
\echo :SQLSTATE
-- A token does not come back with the row.
SELECT token AS t FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k \gset
DELETE FROM pool.contact WHERE id OPERATOR(pg_catalog.=) :k;
INSERT INTO pool.contact (id, priority) VALUES (:k, 9);
SELECT token OPERATOR(pg_catalog.>) :t AS larger FROM arbiter.allocate('shop', 'contacts', 'anna');

-- By hand: an owner changes with a larger token only, whoever writes. Everything else is the user's own.
\set VERBOSITY terse
UPDATE pool.contact SET owner = 'x' WHERE id OPERATOR(pg_catalog.=) 7;
\echo :SQLSTATE
UPDATE pool.contact SET owner = NULL WHERE id OPERATOR(pg_catalog.=) 3;
\echo :SQLSTATE
UPDATE pool.contact SET token = 0 WHERE id OPERATOR(pg_catalog.=) 3;
\echo :SQLSTATE
\set VERBOSITY default
UPDATE pool.contact SET owner = 'x', token = 1 WHERE id OPERATOR(pg_catalog.=) 7;
UPDATE pool.contact SET token = 2 WHERE id OPERATOR(pg_catalog.=) 7;
UPDATE pool.contact SET owner = 'y', token = 2 WHERE id OPERATOR(pg_catalog.=) 7;
UPDATE pool.contact SET priority = 1 WHERE id OPERATOR(pg_catalog.=) 7;
SELECT arbiter.hold_work('shop', 'contacts', '7', 2);
INSERT INTO pool.contact (id, owner, token) VALUES (7, 'z', 0) ON CONFLICT (id) DO UPDATE SET owner = 'z';
\echo :SQLSTATE
MERGE INTO pool.contact AS c USING (SELECT 7 AS id) AS n ON c.id OPERATOR(pg_catalog.=) n.id
 WHEN MATCHED THEN UPDATE SET owner = 'z';
\echo :SQLSTATE
SELECT arbiter.guard_pool();
CREATE TRIGGER wrong BEFORE UPDATE ON shop.pools FOR EACH ROW EXECUTE FUNCTION arbiter.guard_pool();
UPDATE shop.pools SET created_at = created_at;
DROP TRIGGER wrong ON shop.pools;

-- What nobody came back for: only what would be free again, the bad ones reported each time, and none in the way of others.
TRUNCATE pool.contact;
CREATE UNIQUE INDEX one_unowned_seven ON pool.contact (priority) WHERE owner IS NULL AND priority OPERATOR(pg_catalog.=) 7;
INSERT INTO pool.contact (id, priority, owner, since) SELECT i, i, 'gone', '2026-01-01'::pg_catalog.timestamptz FROM pg_catalog.generate_series(1, 100) AS i;
INSERT INTO pool.contact (id, priority) VALUES (207, 7);
INSERT INTO pool.contact (id, status, owner, since) VALUES (300, 'closed', 'gone', '2026-01-01'), (301, 'open', 'busy', pg_catalog.clock_timestamp()), (302, 'open', 'busy', 'infinity');
BEGIN;
SELECT outcome, pg_catalog.count(*), pg_catalog.min(error) FROM arbiter.return_stale('shop', 'contacts', '1 hour', 1000) GROUP BY 1 ORDER BY 1;
SELECT id, owner FROM pool.contact WHERE owner IS NOT NULL ORDER BY 1;
SELECT key, outcome FROM arbiter.return_stale('shop', 'contacts', '1 hour', 1000);
ROLLBACK;
-- The bad ones do not fill max_count, and come first as they are the oldest.
UPDATE pool.contact SET since = '2025-01-01' WHERE id OPERATOR(pg_catalog.=) 7;
SELECT key, outcome FROM arbiter.return_stale('shop', 'contacts', '1 hour', 2);
SELECT key, outcome FROM arbiter.return_stale('shop', 'contacts', '1 hour', 1);
-- Nobody knows since when: for ever. And a trigger that does not let the row go, or raises.
INSERT INTO pool.contact (id, owner) VALUES (400, 'nobody');
CREATE FUNCTION pool.meddle() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.id OPERATOR(pg_catalog.=) 10 THEN RETURN NULL; END IF;
    IF NEW.id OPERATOR(pg_catalog.=) 11 THEN RAISE EXCEPTION 'not this one' USING ERRCODE = 'MY001'; END IF;
    RETURN NEW;
END
$body$;
CREATE TRIGGER meddle BEFORE UPDATE ON pool.contact FOR EACH ROW EXECUTE FUNCTION pool.meddle();
SELECT outcome, pg_catalog.count(*), error FROM arbiter.return_stale('shop', 'contacts', '1 hour', 1000) GROUP BY 1, 3 ORDER BY 2, 3;
SELECT owner FROM pool.contact WHERE id OPERATOR(pg_catalog.=) 400;
-- Where such a row is to be handed out, that is an error.
UPDATE pool.contact SET priority = 1000 WHERE id OPERATOR(pg_catalog.=) 9;
ALTER TABLE pool.contact DISABLE TRIGGER meddle;
UPDATE pool.contact SET owner = NULL, token = token OPERATOR(pg_catalog.+) 1, priority = 2000 WHERE id OPERATOR(pg_catalog.=) 10;
ALTER TABLE pool.contact ENABLE TRIGGER meddle;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
DROP TRIGGER meddle ON pool.contact;

-- Bad arguments.
SELECT arbiter.allocate('shop', 'contacts', '');
SELECT arbiter.allocate('shop', 'contacts', 'anna', 0);
\echo :SQLSTATE
SELECT arbiter.allocate('shop', 'contacts', NULL);
SELECT arbiter.allocate('shop', 'contacts', 'anna', NULL);
\echo :SQLSTATE
SELECT arbiter.allocate('shop', 'contacts', 'somebody with a long name');
\echo :SQLSTATE
SELECT arbiter.allocate('shop', 'nothing', 'anna');
\echo :SQLSTATE
SELECT arbiter.hold_work('shop', 'contacts', 'one', 1);
\echo :SQLSTATE
SELECT arbiter.hold_work('shop', 'contacts', NULL, 1);
SELECT arbiter.hold_work('shop', 'contacts', '1', NULL);
SELECT arbiter.hold_work('shop', 'contacts', '1', 1, NULL);
SELECT arbiter.release_work('shop', 'contacts', '1', 1, '-1 second');
SELECT arbiter.reassign('shop', 'contacts', '1', '');
SELECT arbiter.reassign('shop', 'contacts', '1', 'anna', '');
SELECT arbiter.return_stale('shop', 'contacts', NULL, 1);
SELECT arbiter.return_stale('shop', 'contacts', '1 hour', 0);
BEGIN READ ONLY;
SELECT arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
ROLLBACK;

-- What cannot be a pool.
CREATE FUNCTION pool.make(relation pg_catalog.text DEFAULT 'pool.contact', key pg_catalog.text DEFAULT 'id', owner pg_catalog.text DEFAULT 'owner',
    since pg_catalog.text DEFAULT 'since', token pg_catalog.text DEFAULT 'token', predicate pg_catalog.text DEFAULT NULL,
    order_by pg_catalog.text DEFAULT NULL, name pg_catalog.text DEFAULT 'other') RETURNS pg_catalog.void LANGUAGE plpgsql AS $body$
DECLARE
    d pg_catalog.text; h pg_catalog.text;
BEGIN
    PERFORM arbiter.create_pool('shop', name, relation, key, owner, since, token, predicate, order_by);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT;
    RAISE NOTICE '%: % | % | %', SQLSTATE, SQLERRM, d, h;
END
$body$;
SELECT pool.make(name => 'contacts');
SELECT pool.make(name => 'contacts', predicate => 'status OPERATOR(pg_catalog.=) ''open''', order_by => 'id');
SELECT pool.make(name => 'contacts', predicate => 'status OPERATOR(pg_catalog.=) ''open''', order_by => 'priority desc nulls last', token => 'id', key => 'token');
SELECT pool.make(name => '');
SELECT pool.make(name => pg_catalog.repeat('p', 48));
SELECT pool.make(relation => 'pool.nothing');
SELECT pool.make(relation => 'pg_catalog.pg_class');
SELECT pool.make(relation => 'shop.pools');
SELECT pool.make(key => 'nothing');
SELECT pool.make(key => 'priority');
SELECT pool.make(owner => 'id');
SELECT pool.make(owner => 'status');
SELECT pool.make(since => 'status');
SELECT pool.make(token => 'priority');
SELECT pool.make(predicate => '');
SELECT pool.make(predicate => 'nothing IS NULL');
SELECT pool.make(predicate => 'owner IS NULL; DROP TABLE pool.contact');
SELECT pool.make(predicate => 'true) OR (true');
SELECT pool.make(predicate => 'EXISTS (SELECT 1)');
SELECT pool.make(predicate => '$1');
SELECT pool.make(predicate => 'pg_catalog.random() OPERATOR(pg_catalog.<) 0.5');
SELECT pool.make(predicate => 'priority');
SELECT pool.make(order_by => '');
SELECT pool.make(order_by => 'priority,');
SELECT pool.make(order_by => 'priority descending');
SELECT pool.make(order_by => 'priority, id; DROP TABLE pool.contact');
SELECT pool.make(order_by => 'pg_catalog.random()');
SELECT pool.make(order_by => '1');
SELECT pool.make(order_by => 'priority NULLS');
SELECT pool.make(order_by => '"priority');
SELECT pool.make(order_by => '""');
SELECT pool.make(order_by => 'PRIORITY, priority');
SELECT pool.make(order_by => 'nothing');
CREATE TABLE pool.odd (id pg_catalog.int8 UNIQUE, k pg_catalog.int8 NOT NULL, since pg_catalog.timestamptz, token pg_catalog.int8,
                       owner pg_catalog.text, shout pg_catalog.text GENERATED ALWAYS AS (pg_catalog.upper(owner)) STORED);
CREATE UNIQUE INDEX ON pool.odd (k) WHERE owner IS NULL;
SELECT pool.make(relation => 'pool.odd');
SELECT pool.make(relation => 'pool.odd', key => 'k');
ALTER TABLE pool.odd ADD PRIMARY KEY (id);
SELECT pool.make(relation => 'pool.odd', owner => 'shout');
CREATE TABLE pool.parted (id pg_catalog.int8) PARTITION BY RANGE (id);
SELECT pool.make(relation => 'pool.parted');
CREATE VIEW pool.seen AS SELECT * FROM pool.odd;
SELECT pool.make(relation => 'pool.seen');
SELECT arbiter.create_pool('shop', NULL, 'pool.contact', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT arbiter.create_pool('nothing', 'p', 'pool.contact', 'id', 'owner', 'since', 'token', NULL, NULL);

-- Owners and keys of other types; names that need quotes; rows that nobody has ever had have no token.
CREATE TABLE pool."Odd ""table" ("Id""" pg_catalog.uuid PRIMARY KEY, "select" pg_catalog.uuid, "When" pg_catalog.timestamptz, "n%n" pg_catalog.int8,
                                 odd pg_catalog.int4);
CREATE INDEX ON pool."Odd ""table" ("n%n" DESC, "Id""") WHERE "select" IS NULL;
SELECT arbiter.create_pool('shop', 'odd'' "pool', 'pool."Odd ""table"', 'Id"', 'select', 'When', 'n%n', NULL, '"n%n" DESC');
INSERT INTO pool."Odd ""table" VALUES ('00000000-0000-0000-0000-00000000000a'), ('00000000-0000-0000-0000-00000000000b');
SELECT key, token AS t, "row" OPERATOR(pg_catalog.->) 'select' AS owner FROM arbiter.allocate('shop', 'odd'' "pool', '00000000-0000-0000-0000-000000000001') \gset
\echo :key :owner
SELECT arbiter.release_work('shop', 'odd'' "pool', :'key', :t);
SELECT arbiter.allocate('shop', 'odd'' "pool', 'anna');
\echo :SQLSTATE
UPDATE pool."Odd ""table" SET "select" = '00000000-0000-0000-0000-000000000001' WHERE "n%n" IS NULL;
\echo :SQLSTATE
SELECT arbiter.drop_pool('shop', 'odd'' "pool');

-- The predicate means what it meant when it was given, whatever the search_path is now; a stable function may be in it.
CREATE FUNCTION pool.is_hot(pg_catalog.int4) RETURNS pg_catalog.bool LANGUAGE sql IMMUTABLE AS $$SELECT $1 OPERATOR(pg_catalog.>) 98$$;
SET search_path = pool;
SELECT arbiter.create_pool('shop', 'hot', 'contact', 'id', 'owner', 'since', 'token', 'is_hot(priority) AND pg_catalog.now() > ''2026-01-01''', 'id');
RESET search_path;
SELECT predicate FROM shop.pools WHERE pool OPERATOR(pg_catalog.=) 'hot';
SELECT key FROM arbiter.allocate('shop', 'hot', 'dora', 5);
SELECT arbiter.drop_pool('shop', 'hot', force => true);

-- A table that is renamed, moved, changed, or gone.
ALTER TABLE pool.contact RENAME TO person;
ALTER SCHEMA pool RENAME TO pond;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');
ALTER TABLE pond.person ALTER id TYPE pg_catalog.text USING id::pg_catalog.text;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');
ALTER TABLE pond.person RENAME owner TO boss;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
UPDATE pond.person SET priority = 1;
\echo :SQLSTATE
ALTER TABLE pond.person RENAME boss TO owner;
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');

-- A trigger that is missing or off: nothing is handed out until it is back.
ALTER TABLE pond.person DISABLE TRIGGER zz_arbiter_pool_contacts;
SELECT arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
SELECT severity, subject, problem, remedy FROM arbiter.doctor('shop');
SELECT arbiter.upgrade_store('shop');
DROP TRIGGER zz_arbiter_pool_contacts ON pond.person;
SELECT arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
SELECT arbiter.upgrade_store('shop');
UPDATE pond.person SET owner = NULL, token = 0;
\echo :SQLSTATE
SELECT key FROM arbiter.allocate('shop', 'contacts', 'anna');

-- A column that is renamed is a finding, and keeps doctor from no other.
ALTER TABLE pond.person RENAME COLUMN owner TO whose;
SELECT severity, subject, problem, remedy FROM arbiter.doctor('shop');
ALTER TABLE pond.person RENAME COLUMN whose TO owner;
ALTER TABLE pond.person RENAME COLUMN since TO owned_since;
SELECT problem FROM arbiter.doctor('shop');
ALTER TABLE pond.person RENAME COLUMN owned_since TO since;

-- Dropping it.
SELECT arbiter.drop_pool('shop', 'contacts');
\echo :SQLSTATE
SELECT arbiter.drop_pool('shop', 'contacts', force => true);
SELECT arbiter.drop_pool('shop', 'contacts');
\echo :SQLSTATE
UPDATE pond.person SET owner = NULL;
SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger WHERE tgrelid OPERATOR(pg_catalog.=) 'pond.person'::pg_catalog.regclass;
SELECT arbiter.create_pool('shop', 'contacts', 'pond.person', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT severity, subject, problem, remedy FROM arbiter.doctor('shop');
DROP TABLE pond.person;
SELECT arbiter.allocate('shop', 'contacts', 'anna');
\echo :SQLSTATE
SELECT severity, subject, problem, remedy FROM arbiter.doctor('shop');
SELECT arbiter.drop_pool('shop', 'contacts');
-- Key and owner with a length: neither is cut off.
CREATE TABLE pond.bay (id pg_catalog.bpchar(5) PRIMARY KEY, owner pg_catalog.bpchar(4), since pg_catalog.timestamptz, token pg_catalog.int8,
                       note pg_catalog.json);
CREATE INDEX ON pond.bay (id) WHERE owner IS NULL;
SELECT arbiter.create_pool('shop', 'bays', 'pond.bay', 'id', 'owner', 'since', 'token', NULL, 'note');
\echo :SQLSTATE
SELECT arbiter.create_pool('shop', 'bays', 'pond.bay', 'id', 'owner', 'since', 'token', NULL, NULL);
INSERT INTO pond.bay VALUES ('b1'), ('b22');
SELECT key AS k, token AS t FROM arbiter.allocate('shop', 'bays', 'anna') \gset
SELECT arbiter.hold_work('shop', 'bays', :'k', :t);
SELECT id, owner FROM pond.bay ORDER BY id;
SELECT arbiter.allocate('shop', 'bays', 'carlo');
\echo :SQLSTATE
SELECT arbiter.drop_pool('shop', 'bays', force => true);
-- With its store.
CREATE TABLE pond.last (id pg_catalog.int8 PRIMARY KEY, owner pg_catalog.text, since pg_catalog.timestamptz, token pg_catalog.int8);
CREATE INDEX ON pond.last (id) WHERE owner IS NULL;
SELECT arbiter.create_pool('shop', 'last', 'pond.last', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT arbiter.drop_store('shop');
SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger WHERE tgrelid OPERATOR(pg_catalog.=) 'pond.last'::pg_catalog.regclass;
SET client_min_messages = warning;
DROP SCHEMA pond CASCADE;
