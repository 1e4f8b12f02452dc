\echo Use "CREATE EXTENSION arbiter" to load this file. \quit

-- Refused where somebody has made it before: what lies in it already would be called as ours.
CREATE SCHEMA arbiter;
COMMENT ON SCHEMA arbiter IS
    'the calls of the extension arbiter; data lies in schemas of your own, see create_store';

-- Ids would differ silently in another encoding, so another encoding is refused.
CREATE FUNCTION arbiter.require_utf8() RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_require_utf8';
COMMENT ON FUNCTION arbiter.require_utf8() IS
    'internal: refuses a database whose encoding is not UTF8';
REVOKE ALL ON FUNCTION arbiter.require_utf8() FROM PUBLIC;
SELECT arbiter.require_utf8();

CREATE FUNCTION arbiter.version() RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_version';
COMMENT ON FUNCTION arbiter.version() IS
    'version of the loaded library';
