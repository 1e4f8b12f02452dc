CREATE FUNCTION arbiter.create_store(store text, unique_event_ids boolean DEFAULT true) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_store';
COMMENT ON FUNCTION arbiter.create_store(text, boolean) IS
    'makes a schema that holds a log and what belongs to it; identical again is a no-op';

CREATE FUNCTION arbiter.upgrade_store(store text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_upgrade_store';
COMMENT ON FUNCTION arbiter.upgrade_store(text) IS
    'brings a store to the format of this library and arms it again';

CREATE FUNCTION arbiter.drop_store(store text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_store';
COMMENT ON FUNCTION arbiter.drop_store(text, boolean) IS
    'drops a store; refused while it holds events unless force';

CREATE FUNCTION arbiter.store_state(schema bigint, OUT format bigint, OUT armed boolean)
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_store_state';
COMMENT ON FUNCTION arbiter.store_state(bigint) IS
    'internal: format of the store in a schema, and whether its triggers are in place';

CREATE VIEW arbiter.stores AS
    SELECT n.nspname AS name,
           pg_catalog.pg_get_userbyid(r.relowner) AS owner,
           s.format,
           s.armed,
           GREATEST(e.reltuples, 0)::bigint AS events,
           pg_catalog.pg_total_relation_size(e.oid) AS size
      FROM pg_catalog.pg_class AS r
      JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
      JOIN pg_catalog.pg_class AS e ON e.relnamespace = n.oid AND e.relname = 'events'
     CROSS JOIN LATERAL arbiter.store_state(n.oid::bigint) AS s
     WHERE r.relname = 'arbiter_store' AND r.relkind = 'r';
COMMENT ON VIEW arbiter.stores IS
    'the stores of this database: owner, format, armed or not, events (estimate), size of the log in bytes';
COMMENT ON COLUMN arbiter.stores.name IS 'its schema';
COMMENT ON COLUMN arbiter.stores.owner IS 'who owns its tables, and may upgrade and drop it';
COMMENT ON COLUMN arbiter.stores.format IS 'what its tables look like; upgrade_store brings it to that of the library';
COMMENT ON COLUMN arbiter.stores.armed IS 'its triggers and keys are in place; otherwise writes are refused';
COMMENT ON COLUMN arbiter.stores.events IS 'how many events, as the planner estimates';
COMMENT ON COLUMN arbiter.stores.size IS 'bytes of the log with its indexes';
GRANT SELECT ON arbiter.stores TO PUBLIC;
