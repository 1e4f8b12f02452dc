CREATE FUNCTION arbiter.create_derivation(
    store text, name text, namespace uuid, parts jsonb, vectors jsonb, layout text DEFAULT 'json',
    supersedes text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_derivation';
COMMENT ON FUNCTION arbiter.create_derivation(text, text, uuid, jsonb, jsonb, text, text) IS
    'makes an immutable function that derives ids, frozen from birth; refuses what is not injective (RB041) and vectors that disagree (RB040)';

CREATE FUNCTION arbiter.drop_derivation(
    store text, name text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_derivation';
COMMENT ON FUNCTION arbiter.drop_derivation(text, text, boolean) IS
    'drops the function of a derivation, whose name stays taken; refused while anything depends on it unless force';

CREATE FUNCTION arbiter.explain_derivation(
    store text, name text, args jsonb,
    OUT kind text, OUT part text, OUT value text, OUT octets bytea)
    RETURNS SETOF record
    LANGUAGE C STABLE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_explain_derivation';
COMMENT ON FUNCTION arbiter.explain_derivation(text, text, jsonb) IS
    'hint: each normalized part, the exact octets that are hashed, and the id';

CREATE FUNCTION arbiter.verify_derivations(
    store text, OUT derivation text, OUT verdict text, OUT problem text, OUT remedy text)
    RETURNS SETOF record
    LANGUAGE C STABLE ROWS 10 AS 'MODULE_PATHNAME', 'arbiter_verify_derivations';
COMMENT ON FUNCTION arbiter.verify_derivations(text) IS
    'hint: recomputes every vector and compares registry and functions with what was sealed: ok, dropped or drift';

CREATE FUNCTION arbiter.export_vectors(store text, name text) RETURNS jsonb
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_export_vectors';
COMMENT ON FUNCTION arbiter.export_vectors(text, text) IS
    'hint: a derivation with its vectors as one JSON object: the file that a client''s tests run';

CREATE FUNCTION arbiter.guard_derivations() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_derivations';
COMMENT ON FUNCTION arbiter.guard_derivations() IS
    'internal, arbiter: refuses UPDATE, DELETE and TRUNCATE of derivations';

CREATE FUNCTION arbiter.require_undrifted(version text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_require_undrifted';
COMMENT ON FUNCTION arbiter.require_undrifted(text) IS
    'internal: the end of every update of the extension; RB040 if a derivation of any store is not what was made';
REVOKE ALL ON FUNCTION arbiter.require_undrifted(text) FROM PUBLIC;
