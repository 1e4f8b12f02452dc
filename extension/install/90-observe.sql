CREATE FUNCTION arbiter.doctor(
    store text, OUT severity text, OUT subject text, OUT problem text, OUT remedy text)
    RETURNS SETOF record
    LANGUAGE C STABLE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_doctor';
COMMENT ON FUNCTION arbiter.doctor(text) IS
    'what is wrong with a store and what to do about it; no rows if it is well';

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
GRANT SELECT ON arbiter.stats TO PUBLIC;
