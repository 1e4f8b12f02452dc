CREATE FUNCTION arbiter.doctor(
    store text, OUT severity text, OUT subject text, OUT problem text, OUT remedy text)
    RETURNS SETOF record
    LANGUAGE C STABLE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_doctor';
COMMENT ON FUNCTION arbiter.doctor(text) IS
    'hint: what is wrong with a store and what to do about it; no rows if it is well';

CREATE FUNCTION arbiter.session_stats(
    OUT noun text, OUT done bigint, OUT already bigint, OUT conflict bigint, OUT replayed bigint,
    OUT waits bigint)
    RETURNS SETOF record
    LANGUAGE C VOLATILE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_session_stats';
COMMENT ON FUNCTION arbiter.session_stats() IS
    'internal: the counters behind arbiter.stats';

CREATE VIEW arbiter.stats AS
    SELECT noun, done, already, conflict, replayed, waits FROM arbiter.session_stats();
COMMENT ON VIEW arbiter.stats IS
    'what came of this session''s calls: someone else was first (already, conflict) is not a failure';
COMMENT ON COLUMN arbiter.stats.noun IS 'which kind of call';
COMMENT ON COLUMN arbiter.stats.done IS 'what was asked for has happened';
COMMENT ON COLUMN arbiter.stats.already IS 'it had happened before, by somebody else';
COMMENT ON COLUMN arbiter.stats.conflict IS 'somebody else was first; not a failure';
COMMENT ON COLUMN arbiter.stats.replayed IS 'a retry was recognised';
COMMENT ON COLUMN arbiter.stats.waits IS 'it waited for somebody else''s turn to end';
GRANT SELECT ON arbiter.stats TO PUBLIC;

CREATE FUNCTION arbiter.help(topic text DEFAULT '') RETURNS SETOF text
    LANGUAGE C STABLE ROWS 50 AS 'MODULE_PATHNAME', 'arbiter_help';
COMMENT ON FUNCTION arbiter.help(text) IS
    'what there is, topic by topic; the calls of a topic, or one call, with signature and errors';
