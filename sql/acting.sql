-- A superuser looks after the store of an owner whom he does not trust: what the owner has put there runs with
-- the owner's rights and never with the superuser's.
\set SHOW_CONTEXT never
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE ROLE acting_owner;
CREATE ROLE acting_victim;
GRANT USAGE ON SCHEMA arbiter TO acting_owner;
GRANT CREATE ON DATABASE :"DBNAME" TO acting_owner;
CREATE SCHEMA acting;
GRANT USAGE ON SCHEMA acting TO acting_owner, acting_victim;
CREATE TABLE acting.work (id bigint PRIMARY KEY, owner pg_catalog.text, since pg_catalog.timestamptz, token bigint);
ALTER TABLE acting.work OWNER TO acting_victim;

SET ROLE acting_owner;
SELECT arbiter.create_store('theirs');
CREATE TABLE theirs.ran (relation pg_catalog.text, command pg_catalog.text, UNIQUE (relation, command));
CREATE FUNCTION theirs.watch(relation pg_catalog.text, command pg_catalog.text) RETURNS pg_catalog.bool
    LANGUAGE plpgsql AS $$
BEGIN
    IF CURRENT_USER OPERATOR(pg_catalog.<>) 'acting_owner' THEN
        RAISE EXCEPTION '% of % runs with the rights of its caller', command, relation;
    END IF;
    INSERT INTO theirs.ran VALUES (relation, command) ON CONFLICT DO NOTHING;
    RETURN true;
END
$$;
CREATE FUNCTION theirs.watch() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM theirs.watch(TG_TABLE_NAME, TG_OP);
    RETURN NULL;
END
$$;
-- On every table that a store has, so that none is forgotten.
DO $$
DECLARE
    place pg_catalog.regclass;
BEGIN
    FOR place IN
        SELECT c.oid FROM pg_catalog.pg_class AS c
         WHERE c.relnamespace OPERATOR(pg_catalog.=) 'theirs'::pg_catalog.regnamespace
           AND c.relkind OPERATOR(pg_catalog.=) 'r' AND c.relname OPERATOR(pg_catalog.<>) 'ran'
    LOOP
        EXECUTE pg_catalog.format(
            'CREATE TRIGGER watch AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION theirs.watch()', place);
    END LOOP;
END
$$;
ALTER TABLE theirs.pools ADD CHECK (theirs.watch('pools', 'CHECK'));
ALTER TABLE theirs.machines ADD CHECK (theirs.watch('machines', 'CHECK'));
CREATE RULE watch AS ON UPDATE TO theirs.arbiter_store DO ALSO SELECT theirs.watch('arbiter_store', 'RULE');
CREATE TABLE theirs.work (id bigint PRIMARY KEY, owner pg_catalog.text, since pg_catalog.timestamptz, token bigint);
CREATE FUNCTION theirs.handler(event pg_catalog.jsonb) RETURNS pg_catalog.void LANGUAGE sql AS 'SELECT theirs.watch(''handler'', ''CALL'')';
SELECT arbiter.create_projection('theirs', 'run', 'transactional', 'theirs.handler');
SELECT arbiter.append('theirs', 'a-1', -1, 'A', '{}');
TRUNCATE theirs.ran;

-- The superuser's calls. He creates nothing that is not the owner's.
RESET ROLE;
SELECT arbiter.create_ledger('theirs', 'mails', 'never');
SELECT arbiter.create_machine('theirs', 'order', 'order', 'Placed', '[{"from": ["Placed"], "command": "pay", "to": "Paid", "event": "OrderPaid"}]');
SELECT arbiter.create_sweep('theirs', 'pay', 'theirs.work', 'id', 'owner IS NULL', 'id', 'order', 'pay');
SELECT arbiter.create_pool('theirs', 'work', 'theirs.work', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT arbiter.create_projection('theirs', 'mailer', 'external');
SELECT arbiter.create_derivation('theirs', 'order_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
    '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]');
SELECT p.projection, p.owner FROM theirs.projections AS p ORDER BY p.projection;
SELECT pg_catalog.pg_get_userbyid(p.proowner) AS owner FROM pg_catalog.pg_proc AS p WHERE p.proname = 'order_id';
CALL arbiter.settle_feed('theirs');
SELECT outcome, applied FROM arbiter.run_projection('theirs', 'run');
CALL arbiter.run_projections('theirs');
CALL arbiter.prune_claims('theirs', 'mails', '0');
SELECT d.subject FROM arbiter.doctor('theirs') AS d;
DROP TRIGGER zz_arbiter_pool_work ON theirs.work;
DROP TRIGGER zz_arbiter_feed ON theirs.feed;
SELECT arbiter.upgrade_store('theirs');
SELECT s.armed FROM arbiter.stores AS s WHERE s.name = 'theirs';
SELECT arbiter.drop_sweep('theirs', 'pay');
SELECT arbiter.drop_machine('theirs', 'order', true);
SELECT arbiter.drop_ledger('theirs', 'mails');
SELECT arbiter.drop_derivation('theirs', 'order_id', true);
SELECT arbiter.drop_projection('theirs', 'mailer');
SELECT arbiter.drop_projection('theirs', 'run', true);
SELECT arbiter.drop_pool('theirs', 'work');
SELECT r.relation, pg_catalog.string_agg(r.command, ', ' ORDER BY r.command COLLATE pg_catalog."C") AS ran FROM theirs.ran AS r
 GROUP BY r.relation ORDER BY r.relation COLLATE pg_catalog."C";

-- A row of the registry that nobody has checked puts no trigger on a table that is not the owner's.
SET ROLE acting_owner;
INSERT INTO theirs.pools (pool, relation, key_column, owner_column, since_column, token_column, order_by)
VALUES ('forged', 'acting.work', 'id', 'owner', 'since', 'token', 'id');
RESET ROLE;
SELECT arbiter.upgrade_store('theirs');
SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = 'acting.work'::pg_catalog.regclass;
-- Nor takes one off it.
CREATE TRIGGER zz_arbiter_pool_forged BEFORE UPDATE ON acting.work FOR EACH ROW EXECUTE FUNCTION arbiter.guard_pool('theirs', 'forged', 'owner', 'token');
\set VERBOSITY sqlstate
SELECT arbiter.drop_pool('theirs', 'forged');
SELECT arbiter.drop_store('theirs', force => true);
\set VERBOSITY terse
SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = 'acting.work'::pg_catalog.regclass;
DROP TRIGGER zz_arbiter_pool_forged ON acting.work;
SET ROLE acting_owner;
DELETE FROM theirs.pools;
RESET ROLE;

-- The owner of a store has to have the rights of a pool's table, or he could neither upgrade nor drop the store.
\set VERBOSITY default
SELECT arbiter.create_pool('theirs', 'work', 'acting.work', 'id', 'owner', 'since', 'token', NULL, NULL);
\set VERBOSITY terse
GRANT acting_victim TO acting_owner;
SELECT arbiter.create_pool('theirs', 'work', 'acting.work', 'id', 'owner', 'since', 'token', NULL, NULL);
SET ROLE acting_owner;
SELECT arbiter.drop_pool('theirs', 'work');
RESET ROLE;
REVOKE acting_victim FROM acting_owner;

-- A view in the place of a table has code too.
SET ROLE acting_owner;
ALTER TABLE theirs.pools RENAME TO real_pools;
CREATE VIEW theirs.pools AS SELECT p.* FROM theirs.real_pools AS p WHERE theirs.watch('pools', 'VIEW');
ALTER TABLE theirs.projections RENAME TO real_projections;
CREATE VIEW theirs.projections AS SELECT p.* FROM theirs.real_projections AS p WHERE theirs.watch('projections', 'VIEW');
RESET ROLE;
\set VERBOSITY sqlstate
SELECT arbiter.upgrade_store('theirs');
SELECT arbiter.run_projection('theirs', 'run');
CALL arbiter.run_projections('theirs');
SELECT arbiter.drop_projection('theirs', 'run');
SELECT arbiter.drop_pool('theirs', 'work');
SELECT d.subject FROM arbiter.doctor('theirs') AS d;
\set VERBOSITY terse
SET ROLE acting_owner;
DROP VIEW theirs.pools, theirs.projections;
ALTER TABLE theirs.real_pools RENAME TO pools;
ALTER TABLE theirs.real_projections RENAME TO projections;

-- In a schema of somebody else's, the schema's owner can put a table of his in the place of any: it is seen, whichever it is.
RESET ROLE;
DO $$
DECLARE
    place pg_catalog.record;
    kind pg_catalog.text;
BEGIN
    PERFORM arbiter.create_store('ours');
    FOR place IN
        SELECT c.relname, c.relkind FROM pg_catalog.pg_class AS c
         WHERE c.relnamespace OPERATOR(pg_catalog.=) 'ours'::pg_catalog.regnamespace
           AND (c.relkind OPERATOR(pg_catalog.=) 'r' OR c.relkind OPERATOR(pg_catalog.=) 'v')
           AND c.relname OPERATOR(pg_catalog.<>) 'events'
    LOOP
        kind := CASE place.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END;
        EXECUTE pg_catalog.format('ALTER %s ours.%I OWNER TO acting_owner', kind, place.relname);
        BEGIN
            PERFORM arbiter.upgrade_store('ours');
            RAISE EXCEPTION 'nobody saw that % is of another', place.relname;
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;
        END;
        EXECUTE pg_catalog.format('ALTER %s ours.%I OWNER TO CURRENT_USER', kind, place.relname);
    END LOOP;
END
$$;
ALTER TABLE ours.pools OWNER TO acting_owner;
SELECT arbiter.drop_store('ours');
\echo :LAST_ERROR_SQLSTATE
ALTER TABLE ours.pools OWNER TO CURRENT_USER;
SELECT arbiter.drop_store('ours');

SELECT arbiter.drop_store('theirs', force => true);
DROP SCHEMA theirs CASCADE;
DROP SCHEMA acting CASCADE;
REVOKE CREATE ON DATABASE :"DBNAME" FROM acting_owner;
REVOKE USAGE ON SCHEMA arbiter FROM acting_owner;
DROP ROLE acting_owner, acting_victim;
