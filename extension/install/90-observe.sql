CREATE FUNCTION arbiter.doctor(
    store text, OUT severity text, OUT subject text, OUT problem text, OUT remedy text)
    RETURNS SETOF record
    LANGUAGE C STABLE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_doctor';
COMMENT ON FUNCTION arbiter.doctor(text) IS
    'hint: what is wrong with a store and what to do about it; no rows if it is well';

CREATE FUNCTION arbiter.counted(
    OUT schema bigint, OUT noun text, OUT done bigint, OUT already bigint, OUT conflict bigint,
    OUT replayed bigint, OUT waits bigint, OUT scope text)
    RETURNS SETOF record
    LANGUAGE C VOLATILE ROWS 10 AS 'MODULE_PATHNAME', 'arbiter_counted';
COMMENT ON FUNCTION arbiter.counted() IS
    'internal: the counters behind arbiter.stats, by the schema of the store';

CREATE VIEW arbiter.stats AS
    SELECT n.nspname::text AS store, c.noun, c.done, c.already, c.conflict, c.replayed, c.waits, c.scope
      FROM arbiter.counted() AS c
      LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid::bigint = c.schema
     WHERE n.oid IS NOT NULL OR c.schema = 0;
COMMENT ON VIEW arbiter.stats IS
    'what came of the calls, by store and noun: someone else was first (already, conflict) is not a failure';
COMMENT ON COLUMN arbiter.stats.store IS 'the store; null for locks, which belong to none';
COMMENT ON COLUMN arbiter.stats.noun IS 'which kind of call';
COMMENT ON COLUMN arbiter.stats.done IS 'what was asked for has happened';
COMMENT ON COLUMN arbiter.stats.already IS 'it had happened before, by somebody else';
COMMENT ON COLUMN arbiter.stats.conflict IS 'somebody else was first; not a failure';
COMMENT ON COLUMN arbiter.stats.replayed IS 'a retry was recognised';
COMMENT ON COLUMN arbiter.stats.waits IS 'it waited for somebody else''s turn to end';
COMMENT ON COLUMN arbiter.stats.scope IS 'whose calls: server, of all sessions since its start; session, of this one alone';
GRANT SELECT ON arbiter.stats TO PUBLIC;

CREATE FUNCTION arbiter.going_on(
    OUT pid bigint, OUT schema bigint, OUT call text, OUT object text, OUT done bigint,
    OUT total bigint, OUT unit text, OUT since timestamptz)
    RETURNS SETOF record
    LANGUAGE C VOLATILE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_going_on';
COMMENT ON FUNCTION arbiter.going_on() IS
    'internal: what is behind arbiter.progress, by the schema of the store';

CREATE VIEW arbiter.progress AS
    SELECT g.pid::integer AS pid, n.nspname::text AS store, g.call, g.object, g.done, g.total, g.unit, g.since
      FROM arbiter.going_on() AS g
      JOIN pg_catalog.pg_namespace AS n ON n.oid::bigint = g.schema;
COMMENT ON VIEW arbiter.progress IS
    'how far the calls are that take long, in all sessions; where the library is preloaded, else 55000';
COMMENT ON COLUMN arbiter.progress.pid IS 'process of the session';
COMMENT ON COLUMN arbiter.progress.store IS 'the store';
COMMENT ON COLUMN arbiter.progress.call IS 'name of the call';
COMMENT ON COLUMN arbiter.progress.object IS 'the projection, ledger, pool, sweep or source it is about';
COMMENT ON COLUMN arbiter.progress.done IS 'how much is done';
COMMENT ON COLUMN arbiter.progress.total IS 'of how much, as it was at the beginning; null where nobody knows';
COMMENT ON COLUMN arbiter.progress.unit IS 'what is counted';
COMMENT ON COLUMN arbiter.progress.since IS 'begin of the call';
GRANT SELECT ON arbiter.progress TO PUBLIC;

CREATE FUNCTION arbiter.help(topic text DEFAULT '') RETURNS SETOF text
    LANGUAGE C STABLE ROWS 50 AS 'MODULE_PATHNAME', 'arbiter_help';
COMMENT ON FUNCTION arbiter.help(text) IS
    'what there is, topic by topic; the calls of a topic, or one call, with signature and errors';
