-- Every public call under a search_path whose first schemas shadow the functions, relations, types and
-- operators of pg_catalog with traps that raise. In a database of its own: the traps are many.
CREATE DATABASE regress_traps TEMPLATE template0 ENCODING 'UTF8';
\set db :DBNAME
\c regress_traps
SET search_path = pg_catalog;
\getenv abs_srcdir PG_ABS_SRCDIR
\set traps :abs_srcdir '/test/hostile/traps.sql'
SET client_min_messages = warning;
\set ECHO none
\i :traps
\set ECHO all
\set ON_ERROR_STOP off
RESET client_min_messages;
-- The script itself must not meet them.
SET search_path = hostile_operators, hostile, pg_catalog;
CREATE EXTENSION arbiter;

-- The traps spring.
SELECT 1 = 1;
SELECT count(*);

SELECT arbiter.create_store('shop');
SELECT arbiter.create_store('shop');
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{"n": 1}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{"n": 1}', '{}', '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('shop', 'a-1', 0, 'More', '{}');
SELECT arbiter.append('shop', 'a-1', -2, 'More', '{}');
SELECT arbiter.append('shop', 'a-1', -4, 'More', '{}');
SELECT arbiter.append('shop', 'a-1', 0, 'Late', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 4, 'Raw', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 6, 'Raw', '{}');
UPDATE shop.events SET type = 'X';
SELECT revision, type FROM arbiter.read_stream('shop', 'a-1');
SELECT revision, type FROM arbiter.read_stream('shop', 'a-1', 2, 2, true);
SELECT revision, type FROM arbiter.last_event('shop', 'a-1');
SELECT revision, type FROM arbiter.last_event('shop', 'a-1', 'Made');
SELECT arbiter.stream_revision('shop', 'a-1');
SELECT arbiter.no_stream(), arbiter.any_revision(), arbiter.stream_exists();
SELECT arbiter.stream_name('a', '1'), arbiter.category('a-1'), arbiter.stream_id('a-1');
SELECT arbiter.stream_name('a', '00000000-0000-4000-8000-000000000001'::pg_catalog.uuid);
SELECT name, owner, armed FROM arbiter.stores;
ALTER TABLE shop.events DISABLE TRIGGER zz_arbiter_append;
SELECT arbiter.upgrade_store('shop');
SELECT arbiter.upgrade_store('shop');
-- In a writer's own transaction, in every isolation level.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT arbiter.append('shop', 'a-2', -1, 'Made', '{}');
COMMIT;
SELECT arbiter.drop_store('shop');
SELECT arbiter.drop_store('shop', force => true);
DROP EXTENSION arbiter;

RESET search_path;
\c :db
DROP DATABASE regress_traps;
