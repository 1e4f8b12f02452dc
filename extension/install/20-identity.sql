CREATE FUNCTION arbiter.uuid_v5(namespace uuid, name text) RETURNS uuid
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_uuid_v5';
COMMENT ON FUNCTION arbiter.uuid_v5(uuid, text) IS
    'the RFC 9562 version 5 id of a name, hashed as UTF-8';

CREATE FUNCTION arbiter.uuid_v5(namespace uuid, name bytea) RETURNS uuid
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_uuid_v5';
COMMENT ON FUNCTION arbiter.uuid_v5(uuid, bytea) IS
    'the RFC 9562 version 5 id of a name given as octets';

CREATE FUNCTION arbiter.canonical_strings(texts text[]) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_canonical_strings';
COMMENT ON FUNCTION arbiter.canonical_strings(text[]) IS
    'a list of texts as JSON, byte for byte what JavaScript''s JSON.stringify writes';

CREATE FUNCTION arbiter.derived_id(spec text, vector text, digest text, VARIADIC parts "any") RETURNS uuid
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_derived_id';
COMMENT ON FUNCTION arbiter.derived_id(text, text, text, "any") IS
    'internal: what the functions made by create_derivation call; RB040 if spec, vector or library are not what was sealed';
