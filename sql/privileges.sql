-- Permissions are the GRANTs on the store's schema and tables, asked of the calling role.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE ROLE regress_owner;
CREATE ROLE regress_writer;
CREATE ROLE regress_inserter;
CREATE ROLE regress_reader;
CREATE ROLE regress_stranger;
GRANT USAGE ON SCHEMA arbiter TO regress_owner, regress_writer, regress_inserter, regress_reader, regress_stranger;
DO $$
BEGIN
    EXECUTE pg_catalog.format('GRANT CREATE ON DATABASE %I TO regress_owner', pg_catalog.current_database());
END
$$;

-- Nobody needs to be a superuser: whoever may create, may make, upgrade and drop a store, and owns it.
SET ROLE regress_owner;
SELECT arbiter.create_store('shop');
SELECT name, owner, armed FROM arbiter.stores WHERE name = 'shop';
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{}');
DROP TRIGGER zz_arbiter_append_only ON shop.events;
SELECT arbiter.upgrade_store('shop');
GRANT USAGE ON SCHEMA shop TO regress_writer, regress_inserter, regress_reader;
GRANT SELECT, INSERT ON shop.events TO regress_writer;
GRANT INSERT ON shop.events TO regress_inserter;
GRANT SELECT ON shop.events TO regress_reader;

SET ROLE regress_writer;
SELECT arbiter.append('shop', 'a-1', 0, 'Written', '{}');
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 2, 'Written', '{}');
SELECT revision, type FROM arbiter.read_stream('shop', 'a-1');
SELECT arbiter.upgrade_store('shop');
SELECT arbiter.drop_store('shop', force => true);
\echo :SQLSTATE
\set VERBOSITY sqlstate
SELECT arbiter.create_store('mine');
\set VERBOSITY terse
\echo :SQLSTATE
UPDATE shop.events SET type = 'X';
\echo :SQLSTATE
DELETE FROM shop.events;
\echo :SQLSTATE
TRUNCATE shop.events;
\echo :SQLSTATE
ALTER TABLE shop.events DISABLE TRIGGER zz_arbiter_append;
\echo :SQLSTATE

-- An append reads the stream, so it takes both privileges; a raw INSERT takes its own one only.
SET ROLE regress_inserter;
SELECT arbiter.append('shop', 'a-1', 2, 'Inserted', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 3, 'Inserted', '{}');
SELECT arbiter.stream_revision('shop', 'a-1');
\echo :SQLSTATE

SET ROLE regress_reader;
SELECT arbiter.stream_revision('shop', 'a-1');
SELECT revision, type FROM arbiter.read_stream('shop', 'a-1');
SELECT revision, type FROM arbiter.last_event('shop', 'a-1');
SELECT arbiter.append('shop', 'a-1', 3, 'Read', '{}');
\echo :SQLSTATE
-- Refused before anything is told about the stream.
SELECT arbiter.append('shop', 'a-1', 99, 'Read', '{}');
\echo :SQLSTATE
INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 4, 'Read', '{}');
\echo :SQLSTATE

SET ROLE regress_stranger;
SELECT arbiter.append('shop', 'a-1', 3, 'Strange', '{}');
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop', 'a-1');
\echo :SQLSTATE
SELECT * FROM arbiter.read_stream('shop', 'a-1');
\echo :SQLSTATE
SELECT * FROM arbiter.last_event('shop', 'a-1');
\echo :SQLSTATE
SELECT arbiter.upgrade_store('shop');
\echo :SQLSTATE
SELECT arbiter.drop_store('shop');
\echo :SQLSTATE
SELECT arbiter.create_store('shop');
\echo :SQLSTATE
SELECT name, owner FROM arbiter.stores WHERE name = 'shop';
-- Nor can the log's trigger be put to another use.
CREATE TEMPORARY TABLE events (x integer);
CREATE TRIGGER t BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION arbiter.guard_append();
INSERT INTO events VALUES (1);
\echo :SQLSTATE
DROP TABLE events;

-- Without USAGE on the extension's schema no call is found.
RESET ROLE;
REVOKE USAGE ON SCHEMA arbiter FROM regress_reader;
SET ROLE regress_reader;
SELECT arbiter.stream_revision('shop', 'a-1');
\echo :SQLSTATE
RESET ROLE;

-- The owner is held to the log's rules like anybody else, and so is a superuser.
SET ROLE regress_owner;
UPDATE shop.events SET type = 'X';
\echo :SQLSTATE
RESET ROLE;
TRUNCATE shop.events;
\echo :SQLSTATE

-- Row security is the reader's and the writer's.
SET ROLE regress_owner;
ALTER TABLE shop.events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_streams ON shop.events TO regress_writer USING (stream ~ '^w-') WITH CHECK (stream ~ '^w-');
SET ROLE regress_writer;
SELECT arbiter.append('shop', 'w-1', -1, 'Written', '{}');
SELECT arbiter.append('shop', 'a-1', -2, 'Written', '{}');
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop', 'a-1'), arbiter.stream_revision('shop', 'w-1');
SELECT pg_catalog.count(*) FROM arbiter.read_stream('shop', 'a-1');
SET ROLE regress_owner;
SELECT arbiter.stream_revision('shop', 'a-1');

-- Membership counts, SECURITY DEFINER counts: the role that calls is the role that is asked.
RESET ROLE;
GRANT regress_writer TO regress_stranger;
SET ROLE regress_stranger;
SELECT arbiter.append('shop', 'w-1', 0, 'Strange', '{}');
RESET ROLE;
REVOKE regress_writer FROM regress_stranger;
CREATE FUNCTION shop.record(stream pg_catalog.text) RETURNS bigint LANGUAGE sql SECURITY DEFINER
    AS 'SELECT arbiter.append(''shop'', stream, -2, ''Recorded'', ''{}'')';
ALTER FUNCTION shop.record OWNER TO regress_owner;
GRANT USAGE ON SCHEMA shop TO regress_stranger;
SET ROLE regress_stranger;
SELECT shop.record('w-1');
SELECT arbiter.append('shop', 'w-1', -2, 'Strange', '{}');
\echo :SQLSTATE
RESET ROLE;

SELECT arbiter.drop_store('shop', force => true);
DROP FUNCTION shop.record;
DROP SCHEMA shop;
DO $$
BEGIN
    EXECUTE pg_catalog.format('REVOKE CREATE ON DATABASE %I FROM regress_owner', pg_catalog.current_database());
END
$$;
REVOKE USAGE ON SCHEMA arbiter FROM regress_owner, regress_writer, regress_inserter, regress_reader, regress_stranger;
DROP ROLE regress_owner, regress_writer, regress_inserter, regress_reader, regress_stranger;
