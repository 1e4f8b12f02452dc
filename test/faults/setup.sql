-- What test/faults/run asks of the faulty library, and of the database.
CREATE SCHEMA faults;

CREATE FUNCTION faults.arm(what text, n bigint) RETURNS void LANGUAGE C AS '$libdir/arbiter', 'faults_arm';
CREATE FUNCTION faults.disarm() RETURNS bigint LANGUAGE C AS '$libdir/arbiter', 'faults_disarm';
CREATE FUNCTION faults.goes_on() RETURNS boolean LANGUAGE C AS '$libdir/arbiter', 'faults_goes_on';
CREATE FUNCTION faults.alive() RETURNS bigint LANGUAGE C AS '$libdir/arbiter', 'faults_alive';
CREATE FUNCTION faults.held() RETURNS text LANGUAGE C AS '$libdir/arbiter', 'faults_held';

-- The statement under a handler of PL/pgSQL: what it failed with.
CREATE FUNCTION faults.caught(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN NULL;
EXCEPTION WHEN OTHERS OR query_canceled THEN
    RETURN sqlstate;
END $$;

-- A statement that something of ours refuses: with what.
CREATE FUNCTION faults.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    code text;
BEGIN
    EXECUTE statement;
    RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE;
    IF code IN ('XF001', '53200') THEN
        RAISE;
    END IF;
    RETURN code || ' ' || sqlerrm;
END $$;

-- A query that counts everything there is now: a half of something would show.
CREATE FUNCTION faults.counting() RETURNS text LANGUAGE sql AS $$
    SELECT 'SELECT ' || string_agg(format('%L, (SELECT count(*) FROM %s)', oid::regclass, oid::regclass), ', ' ORDER BY oid)
      FROM pg_class
     WHERE relkind IN ('r', 'p')
       AND (relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
            OR relname IN ('pg_class', 'pg_constraint', 'pg_namespace', 'pg_proc', 'pg_trigger'))
$$;

-- What outlives a transaction in the session, and should not grow.
CREATE FUNCTION faults.memory() RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(total_bytes - free_bytes)::bigint
      FROM pg_backend_memory_contexts
     WHERE (parent IS NULL OR parent IN ('TopMemoryContext', 'CacheMemoryContext', 'arbiter errors'))
       AND name NOT IN ('MessageContext', 'ErrorContext', 'TopPortalContext', 'TopTransactionContext',
                        'TransactionAbortContext', 'RowDescriptionContext')
$$;

CREATE FUNCTION faults.locks() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', locktype, mode, relation::regclass, objid), ', '), '')
      FROM pg_locks
     WHERE pid = pg_backend_pid() AND locktype <> 'virtualxid' AND mode <> 'AccessShareLock'
$$;
