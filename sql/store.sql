-- Stores: made, upgraded, dropped; what a store in disorder answers.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never

-- Making one; the same again is a no-op, another definition is refused.
SELECT arbiter.create_store('shop');
SELECT arbiter.create_store('shop');
SELECT arbiter.create_store(store => 'shop', unique_event_ids => true);
SELECT arbiter.create_store('shop', unique_event_ids => false);
\echo :SQLSTATE
SELECT name, owner = current_user AS mine, armed, events, size > 0 AS has_size
  FROM arbiter.stores WHERE name = 'shop';

-- What it is made of.
SELECT c.relname, c.relkind
  FROM pg_catalog.pg_class AS c
 WHERE c.relnamespace = 'shop'::pg_catalog.regnamespace
   AND (c.relname ~ '^events' OR c.relname ~ '^arbiter_store')
 ORDER BY c.relname;
SELECT a.attname, t.typname, c.collname, a.attnotnull, a.atthasdef
  FROM pg_catalog.pg_attribute AS a
  JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_collation AS c ON c.oid = a.attcollation
 WHERE a.attrelid = 'shop.events'::pg_catalog.regclass AND a.attnum > 0
 ORDER BY a.attnum;
-- Nothing in a store but its triggers may depend on the extension: DROP EXTENSION would take it along.
SELECT DISTINCT c.relname
  FROM pg_catalog.pg_depend AS d
  JOIN pg_catalog.pg_class AS c ON c.oid = d.classid
  JOIN pg_catalog.pg_proc AS p ON d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid = p.oid
 WHERE p.pronamespace = 'arbiter'::pg_catalog.regnamespace
   AND c.relname <> 'pg_rewrite';

-- Bad arguments.
SELECT arbiter.create_store(NULL);
\echo :SQLSTATE
SELECT arbiter.create_store('');
\echo :SQLSTATE
SELECT arbiter.create_store('shop', NULL);
\echo :SQLSTATE
SELECT arbiter.create_store(pg_catalog.repeat('n', 64));
\echo :SQLSTATE
SELECT arbiter.create_store('pg_store');
\echo :SQLSTATE
SELECT arbiter.create_store('pg_catalog');
\echo :SQLSTATE
SELECT arbiter.create_store('information_schema');
\echo :SQLSTATE
SELECT arbiter.create_store('arbiter');
\echo :SQLSTATE
SELECT arbiter.drop_store(NULL);
\echo :SQLSTATE
SELECT arbiter.drop_store('');
\echo :SQLSTATE
SELECT arbiter.drop_store('nowhere');
\echo :SQLSTATE
SELECT arbiter.drop_store('public');
\echo :SQLSTATE
SELECT arbiter.drop_store('shop', force => NULL);
\echo :SQLSTATE
SELECT arbiter.upgrade_store(NULL);
\echo :SQLSTATE
SELECT arbiter.upgrade_store('');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('nowhere');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');

-- In a read-only transaction nothing is even tried.
BEGIN READ ONLY;
SELECT arbiter.create_store('late');
\echo :SQLSTATE
ROLLBACK;
BEGIN READ ONLY;
SELECT arbiter.upgrade_store('shop');
\echo :SQLSTATE
ROLLBACK;
BEGIN READ ONLY;
SELECT arbiter.drop_store('shop', force => true);
\echo :SQLSTATE
ROLLBACK;

-- Any name a schema can have is a store's name.
SELECT arbiter.create_store(pg_catalog.repeat('n', 63));
SELECT arbiter.append(pg_catalog.repeat('n', 63), 'a-1', -1, 'Made', '{}');
SELECT arbiter.drop_store(pg_catalog.repeat('n', 63), force => true);
SELECT arbiter.create_store(E'O''Brien "&" $1 \\ {store} Café');
SELECT arbiter.append(E'O''Brien "&" $1 \\ {store} Café', 'a-1', -1, 'Made', '{"n": 1}');
SELECT revision, type, data FROM arbiter.read_stream(E'O''Brien "&" $1 \\ {store} Café', 'a-1');
SELECT arbiter.drop_store(E'O''Brien "&" $1 \\ {store} Café', force => true);
SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace WHERE nspname ~ 'Brien';

-- Made and gone with its transaction, and with its savepoint.
BEGIN;
SELECT arbiter.create_store('late');
SELECT arbiter.append('late', 'a-1', -1, 'Made', '{}');
ROLLBACK;
SELECT arbiter.append('late', 'a-1', -1, 'Made', '{}');
\echo :SQLSTATE
BEGIN;
SAVEPOINT before;
SELECT arbiter.create_store('late');
ROLLBACK TO before;
SELECT arbiter.create_store('late', unique_event_ids => false);
SELECT arbiter.append('late', 'a-1', -1, 'Made', '{}');
COMMIT;
SELECT arbiter.append('late', 'a-1', 0, 'Made', '{}');
BEGIN;
SELECT arbiter.drop_store('late', force => true);
ROLLBACK;
SELECT arbiter.append('late', 'a-1', 1, 'Made', '{}');
SELECT arbiter.drop_store('late', force => true);

-- An existing schema is as good as a new one, and outlives the store.
CREATE SCHEMA tenant;
CREATE TABLE tenant.customers (name pg_catalog.text);
SELECT arbiter.create_store('tenant');
SELECT arbiter.append('tenant', 'a-1', -1, 'Made', '{}');
SELECT arbiter.drop_store('tenant');
\echo :SQLSTATE
SELECT arbiter.stream_revision('tenant', 'a-1');
SELECT arbiter.drop_store('tenant', force => true);
SELECT relname FROM pg_catalog.pg_class WHERE relnamespace = 'tenant'::pg_catalog.regnamespace;
DROP TABLE tenant.customers;
SELECT arbiter.create_store('tenant');
SELECT arbiter.drop_store('tenant');
SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'tenant';
-- Names that are taken.
CREATE TABLE tenant.events (happening pg_catalog.text);
SELECT arbiter.create_store('tenant');
\echo :SQLSTATE
DROP TABLE tenant.events;
CREATE SEQUENCE tenant.events_position;
SELECT arbiter.create_store('tenant');
\echo :SQLSTATE
SELECT relname FROM pg_catalog.pg_class WHERE relnamespace = 'tenant'::pg_catalog.regnamespace;
DROP SCHEMA tenant CASCADE;

-- The store's own schema stays while it holds anything else, whatever kind of thing that is.
SELECT arbiter.create_store('shop2');
CREATE FUNCTION shop2.f() RETURNS integer LANGUAGE sql AS 'SELECT 1';
SELECT arbiter.drop_store('shop2');
SELECT shop2.f();
DROP FUNCTION shop2.f();
SELECT arbiter.create_store('shop2');
CREATE VIEW shop2.v AS SELECT stream FROM shop2.events;
SELECT arbiter.drop_store('shop2');
\echo :SQLSTATE
DROP VIEW shop2.v;
SELECT arbiter.drop_store('shop2');
DROP SCHEMA shop2;

-- Renaming the schema renames the store.
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{}');
ALTER SCHEMA shop RENAME TO outlet;
SELECT arbiter.append('outlet', 'a-1', 0, 'Moved', '{}');
SELECT arbiter.append('shop', 'a-1', 1, 'Moved', '{}');
\echo :SQLSTATE
SELECT arbiter.create_store('shop');
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{}');
SELECT arbiter.drop_store('shop', force => true);
ALTER SCHEMA outlet RENAME TO shop;
SELECT revision, type FROM arbiter.read_stream('shop', 'a-1');

-- Unarmed: reads go on, every writing call refuses, and no raw INSERT gets through either.
ALTER TABLE shop.events DISABLE TRIGGER zz_arbiter_append;
SELECT armed FROM arbiter.stores WHERE name = 'shop';
SELECT arbiter.append('shop', 'a-1', 1, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', 99, 'Lost', '{}');
\echo :SQLSTATE
\set VERBOSITY terse
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 2, 'Lost', '{}');
\set VERBOSITY default
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop', 'a-1');
SELECT arbiter.upgrade_store('shop');
SELECT armed FROM arbiter.stores WHERE name = 'shop';
SELECT arbiter.append('shop', 'a-1', 1, 'Found', '{}');
ALTER TABLE shop.events ENABLE REPLICA TRIGGER zz_arbiter_append;
SELECT arbiter.append('shop', 'a-1', 2, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
ALTER TABLE shop.events ENABLE ALWAYS TRIGGER zz_arbiter_append;
SELECT arbiter.append('shop', 'a-1', 2, 'Found', '{}');
DROP TRIGGER zz_arbiter_append_only ON shop.events;
SELECT arbiter.append('shop', 'a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
SELECT arbiter.upgrade_store('shop');
DROP TRIGGER zz_arbiter_append ON shop.events;
CREATE TRIGGER zz_arbiter_append AFTER DELETE ON shop.events
    FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_append();
SELECT arbiter.append('shop', 'a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
SELECT arbiter.append('shop', 'a-1', 3, 'Found', '{}');

-- Another format.
\set VERBOSITY terse
UPDATE shop.arbiter_store SET format = format + 1000;
\c -
SELECT arbiter.append('shop', 'a-1', 4, 'Lost', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.read_stream('shop', 'a-1');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
\echo :SQLSTATE
SELECT arbiter.create_store('shop');
\echo :SQLSTATE
SELECT format > 1000 AS newer FROM arbiter.stores WHERE name = 'shop';
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 4, 'Lost', '{}');
\echo :SQLSTATE
UPDATE shop.arbiter_store SET format = format - 1000;
\c -
SELECT arbiter.append('shop', 'a-1', 4, 'Found', '{}');

\set VERBOSITY default
-- Another shape: whatever a table is, a store is not read past what this library knows.
SELECT arbiter.create_store('odd');
SELECT arbiter.append('odd', 'a-1', -1, 'Made', '{}', id => '00000000-0000-4000-8000-000000000001');
ALTER TABLE odd.events ADD COLUMN tenant integer DEFAULT 7;
SELECT arbiter.append('odd', 'a-1', 0, 'Made', '{}');
SELECT revision, tenant FROM odd.events ORDER BY revision;
ALTER TABLE odd.events RENAME COLUMN type TO kind;
SELECT arbiter.append('odd', 'a-1', 1, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.stream_revision('odd', 'a-1');
\echo :SQLSTATE
ALTER TABLE odd.events RENAME COLUMN kind TO type;
SELECT arbiter.append('odd', 'a-1', 1, 'Found', '{}');
ALTER TABLE odd.events ALTER COLUMN data TYPE pg_catalog.text;
SELECT arbiter.append('odd', 'a-1', 0, 'Made', '{}', id => '00000000-0000-4000-8000-000000000001');
\echo :SQLSTATE
SELECT * FROM arbiter.read_stream('odd', 'a-1');
\echo :SQLSTATE
ALTER TABLE odd.events ALTER COLUMN data TYPE pg_catalog.jsonb USING data::pg_catalog.jsonb;
ALTER TABLE odd.events ALTER COLUMN stream TYPE pg_catalog.text COLLATE "ucs_basic";
SELECT arbiter.append('odd', 'a-1', 2, 'Lost', '{}');
\echo :SQLSTATE
ALTER TABLE odd.events ALTER COLUMN stream TYPE pg_catalog.text COLLATE "C";
SELECT arbiter.append('odd', 'a-1', 2, 'Found', '{}');
ALTER TABLE odd.events DROP CONSTRAINT events_pkey;
SELECT arbiter.append('odd', 'a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
INSERT INTO odd.events (stream, revision, type, data) VALUES ('a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
ALTER TABLE odd.events ADD CONSTRAINT events_pkey PRIMARY KEY (stream, revision) DEFERRABLE;
SELECT arbiter.append('odd', 'a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
ALTER TABLE odd.events DROP CONSTRAINT events_pkey;
ALTER TABLE odd.events ADD CONSTRAINT events_pkey PRIMARY KEY (revision, stream);
SELECT arbiter.append('odd', 'a-1', 3, 'Lost', '{}');
\echo :SQLSTATE
ALTER TABLE odd.events DROP CONSTRAINT events_pkey;
ALTER TABLE odd.events ADD CONSTRAINT events_pkey PRIMARY KEY (stream, revision);
SELECT arbiter.append('odd', 'a-1', 3, 'Found', '{}');
ALTER TABLE odd.events DROP CONSTRAINT events_stream_id_key;
SELECT arbiter.append('odd', 'a-1', 4, 'Lost', '{}');
\echo :SQLSTATE
ALTER TABLE odd.events ADD CONSTRAINT events_stream_id_key UNIQUE (stream, id);
DELETE FROM odd.arbiter_store;
\c -
SELECT arbiter.append('odd', 'a-1', 4, 'Lost', '{}');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('odd');
\echo :SQLSTATE
SELECT arbiter.create_store('odd');
\echo :SQLSTATE
SELECT arbiter.drop_store('odd', force => true);
\echo :SQLSTATE
SET client_min_messages = warning;
DROP SCHEMA odd CASCADE;
RESET client_min_messages;

-- Look-alikes: relations of the right names that are not what they seem harm nobody.
CREATE SCHEMA mask;
CREATE VIEW mask.arbiter_store AS SELECT true AS singleton, 1 AS format, true AS unique_event_ids;
CREATE TABLE mask.events (happening pg_catalog.text);
SELECT arbiter.append('mask', 'a-1', -1, 'Lost', '{}');
\echo :SQLSTATE
DROP VIEW mask.arbiter_store;
CREATE TABLE mask.arbiter_store (x pg_catalog.text);
SELECT arbiter.append('mask', 'a-1', -1, 'Lost', '{}');
\echo :SQLSTATE
INSERT INTO mask.arbiter_store VALUES ('a store, honestly');
SELECT arbiter.append('mask', 'a-1', -1, 'Lost', '{}');
\echo :SQLSTATE
SELECT name, format, armed FROM arbiter.stores WHERE name = 'mask';
SELECT name, armed FROM arbiter.stores WHERE name = 'shop';
DROP TABLE mask.arbiter_store, mask.events;
CREATE TABLE mask.arbiter_store (LIKE shop.arbiter_store);
INSERT INTO mask.arbiter_store SELECT * FROM shop.arbiter_store;
CREATE VIEW mask.events AS SELECT * FROM shop.events;
SELECT arbiter.append('mask', 'a-1', -1, 'Lost', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.read_stream('mask', 'a-1');
\echo :SQLSTATE
DROP VIEW mask.events;
CREATE TABLE mask.events (LIKE shop.events) PARTITION BY LIST (stream);
SELECT arbiter.append('mask', 'a-1', -1, 'Lost', '{}');
\echo :SQLSTATE
DROP TABLE mask.events;
-- The log's trigger on a table of another kind.
CREATE TABLE mask.other (x integer);
CREATE TRIGGER t BEFORE INSERT ON mask.other FOR EACH ROW EXECUTE FUNCTION arbiter.guard_append();
INSERT INTO mask.other VALUES (1);
\echo :SQLSTATE
SELECT arbiter.guard_append();
\echo :SQLSTATE
DROP SCHEMA mask CASCADE;

SELECT arbiter.drop_store('shop', force => true);
SELECT name FROM arbiter.stores;
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname IN ('shop', 'outlet', 'tenant', 'late', 'odd', 'mask');
