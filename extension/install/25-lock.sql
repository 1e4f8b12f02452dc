CREATE FUNCTION arbiter.lock_entity(entity text, timeout interval DEFAULT '5s') RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_lock_entity_text';
COMMENT ON FUNCTION arbiter.lock_entity(text, interval) IS
    'serializer: waits for its turn on an entity and holds it to the end of the transaction; 55P03 names who holds it';

CREATE FUNCTION arbiter.lock_entity(entity uuid, timeout interval DEFAULT '5s') RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_lock_entity_uuid';
COMMENT ON FUNCTION arbiter.lock_entity(uuid, interval) IS
    'serializer: lock_entity of the uuid''s lower-case text';

CREATE FUNCTION arbiter.lock_entities(entities text[], timeout interval DEFAULT '5s') RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_lock_entities';
COMMENT ON FUNCTION arbiter.lock_entities(text[], interval) IS
    'serializer: locks many entities in one order that all callers share, within one time';

CREATE FUNCTION arbiter.try_lock_entity(entity text) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_try_lock_entity_text';
COMMENT ON FUNCTION arbiter.try_lock_entity(text) IS
    'serializer: locks an entity if that needs no waiting; false means busy, never done';

CREATE FUNCTION arbiter.try_lock_entity(entity uuid) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_try_lock_entity_uuid';
COMMENT ON FUNCTION arbiter.try_lock_entity(uuid) IS
    'serializer: try_lock_entity of the uuid''s lower-case text';

-- STABLE: another major version of the server may hash differently, so the key is for looking, not storing.
CREATE FUNCTION arbiter.entity_key(entity text) RETURNS bigint
    LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_entity_key';
COMMENT ON FUNCTION arbiter.entity_key(text) IS
    'hint: the key under which entity_locks shows an entity; the same in every session of this cluster only';

CREATE FUNCTION arbiter.entity_name(key bigint) RETURNS text
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_entity_name';
COMMENT ON FUNCTION arbiter.entity_name(bigint) IS
    'internal: the name behind the key of an entity lock, where the library is preloaded and remembers it';

-- A prepared transaction keeps its locks without a process; its transaction id leads to its gid.
-- -21737 is 0xAB17, our class of locks, as the signed smallint in which pg_locks shows it.
CREATE VIEW arbiter.entity_locks AS
    SELECT arbiter.entity_name((l.classid::bigint << 32) | l.objid::bigint) AS entity,
           (l.classid::bigint << 32) | l.objid::bigint AS key,
           l.pid,
           a.application_name AS application,
           CASE WHEN l.granted THEN COALESCE(p.prepared, a.xact_start) ELSE l.waitstart END AS since,
           NOT l.granted AS waiting,
           p.gid
      FROM pg_catalog.pg_locks AS l
      JOIN pg_catalog.pg_database AS d ON d.oid = l.database AND d.datname = pg_catalog.current_database()
      LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
      LEFT JOIN LATERAL (
               SELECT x.gid, x.prepared
                 FROM pg_catalog.pg_locks AS t
                 JOIN pg_catalog.pg_prepared_xacts AS x ON x.transaction = t.transactionid
                WHERE l.pid IS NULL AND t.pid IS NULL AND t.locktype = 'transactionid'
                  AND t.virtualtransaction = l.virtualtransaction) AS p ON true
     WHERE l.locktype = 'advisory' AND l.objsubid = -21737;
COMMENT ON VIEW arbiter.entity_locks IS
    'who holds and who waits for an entity in this database; since: begin of the holder''s transaction, or of the wait';
COMMENT ON COLUMN arbiter.entity_locks.entity IS 'its name, where the library is preloaded and remembers it';
COMMENT ON COLUMN arbiter.entity_locks.key IS 'the number it is locked under, as entity_key says';
COMMENT ON COLUMN arbiter.entity_locks.pid IS 'process that holds or waits; null for a prepared transaction';
COMMENT ON COLUMN arbiter.entity_locks.application IS 'application_name of that session';
COMMENT ON COLUMN arbiter.entity_locks.since IS 'begin of the holder''s transaction, or of the wait';
COMMENT ON COLUMN arbiter.entity_locks.waiting IS 'it waits for its turn';
COMMENT ON COLUMN arbiter.entity_locks.gid IS 'name of the prepared transaction that holds it';
GRANT SELECT ON arbiter.entity_locks TO PUBLIC;
