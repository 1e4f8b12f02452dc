CREATE TYPE arbiter.recorded_event AS (
    "position" bigint,
    stream text,
    revision bigint,
    id uuid,
    type text,
    data jsonb,
    metadata jsonb,
    recorded_at timestamptz
);
COMMENT ON TYPE arbiter.recorded_event IS
    'an event as the log has it';

CREATE FUNCTION arbiter.no_stream() RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN -1::bigint;
COMMENT ON FUNCTION arbiter.no_stream() IS
    'expected revision: the stream must not exist yet';

CREATE FUNCTION arbiter.any_revision() RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN -2::bigint;
COMMENT ON FUNCTION arbiter.any_revision() IS
    'expected revision: whatever it is';

CREATE FUNCTION arbiter.stream_exists() RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN -4::bigint;
COMMENT ON FUNCTION arbiter.stream_exists() IS
    'expected revision: any, but the stream must exist';

CREATE FUNCTION arbiter.stream_name(category text, id uuid) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_stream_name_uuid';
COMMENT ON FUNCTION arbiter.stream_name(text, uuid) IS
    'name of an entity''s stream: category, hyphen, id';

CREATE FUNCTION arbiter.stream_name(category text, id text) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_stream_name_text';
COMMENT ON FUNCTION arbiter.stream_name(text, text) IS
    'name of an entity''s stream: category, hyphen, id';

CREATE FUNCTION arbiter.category(stream text) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_category';
COMMENT ON FUNCTION arbiter.category(text) IS
    'what stands before the first hyphen of a stream''s name, the whole name if there is none';

CREATE FUNCTION arbiter.stream_id(stream text) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_stream_id';
COMMENT ON FUNCTION arbiter.stream_id(text) IS
    'what stands after the first hyphen of a stream''s name, null if there is none';

CREATE FUNCTION arbiter.append(
    store text, stream text, expected bigint, type text, data jsonb,
    metadata jsonb DEFAULT '{}', id uuid DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_append';
COMMENT ON FUNCTION arbiter.append(text, text, bigint, text, jsonb, jsonb, uuid) IS
    'arbiter: stores one event if the stream is at the expected revision, else RB001; returns its revision';

CREATE FUNCTION arbiter.append_events(store text, stream text, expected bigint, events jsonb)
    RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_append_events';
COMMENT ON FUNCTION arbiter.append_events(text, text, bigint, jsonb) IS
    'arbiter: stores all events if the stream is at the expected revision, else RB001; returns the last revision';

CREATE FUNCTION arbiter.append_if(
    store text, stream text, expected bigint, events jsonb,
    OUT outcome text, OUT revision bigint, OUT current bigint)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_append_if';
COMMENT ON FUNCTION arbiter.append_if(text, text, bigint, jsonb) IS
    'arbiter: append_events that answers appended, replayed, conflict or closed instead of raising';

CREATE FUNCTION arbiter.append_streams(store text, appends jsonb)
    RETURNS TABLE (stream text, revision bigint)
    LANGUAGE C VOLATILE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_append_streams';
COMMENT ON FUNCTION arbiter.append_streams(text, jsonb) IS
    'arbiter: stores events in several streams, all or none; every wrong expectation is reported at once';

CREATE FUNCTION arbiter.import_events(store text, source text) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_import_events';
COMMENT ON FUNCTION arbiter.import_events(text, text) IS
    'arbiter: brings events with their positions and times from a table into an empty store; returns how many';

CREATE FUNCTION arbiter.read_stream(
    store text, stream text, from_revision bigint DEFAULT NULL, max_count bigint DEFAULT NULL,
    backwards boolean DEFAULT false) RETURNS SETOF arbiter.recorded_event
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_read_stream';
COMMENT ON FUNCTION arbiter.read_stream(text, text, bigint, bigint, boolean) IS
    'hint: events of a stream in the order of revisions, or backwards';

CREATE FUNCTION arbiter.last_event(store text, stream text, type text DEFAULT NULL)
    RETURNS SETOF arbiter.recorded_event
    LANGUAGE C STABLE ROWS 1 AS 'MODULE_PATHNAME', 'arbiter_last_event';
COMMENT ON FUNCTION arbiter.last_event(text, text, text) IS
    'hint: the last event of a stream, or the last of a type; no row if there is none';

CREATE FUNCTION arbiter.fold(store text, stream text, evolve text, initial jsonb DEFAULT '{}') RETURNS jsonb
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_fold';
COMMENT ON FUNCTION arbiter.fold(text, text, text, jsonb) IS
    'hint: state of an entity: initial, handed through evolve(state jsonb, event arbiter.recorded_event) with each event';

CREATE FUNCTION arbiter.stream_revision(store text, stream text) RETURNS bigint
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_stream_revision';
COMMENT ON FUNCTION arbiter.stream_revision(text, text) IS
    'hint: revision of the last event of a stream, -1 if the stream does not exist; the append decides';

CREATE FUNCTION arbiter.close_stream(store text, stream text, reason text) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_close_stream';
COMMENT ON FUNCTION arbiter.close_stream(text, text, text) IS
    'arbiter: ends a stream; every later append is RB002; returns the revision of the closing event';

CREATE FUNCTION arbiter.truncate_stream(store text, stream text, before bigint, reason text) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_truncate_stream';
COMMENT ON FUNCTION arbiter.truncate_stream(text, text, bigint, text) IS
    'arbiter: deletes the events before a revision and appends one that says so, whose revision it returns';

CREATE FUNCTION arbiter.redact(store text, stream text, revision bigint, reason text) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_redact';
COMMENT ON FUNCTION arbiter.redact(text, text, bigint, text) IS
    'arbiter: empties data and metadata of an event and appends one that says so, whose revision it returns';

CREATE FUNCTION arbiter.guard_append() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_append';
COMMENT ON FUNCTION arbiter.guard_append() IS
    'internal, arbiter: holds every INSERT into events to the rules of the log';

CREATE FUNCTION arbiter.refuse_rewrite() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_refuse_rewrite';
COMMENT ON FUNCTION arbiter.refuse_rewrite() IS
    'internal, arbiter: refuses UPDATE, DELETE and TRUNCATE of events';

CREATE TYPE arbiter.loaded_event AS (
    "position" bigint,
    stream text,
    revision bigint,
    id uuid,
    type text,
    data jsonb,
    metadata jsonb,
    recorded_at timestamptz,
    head bigint
);
COMMENT ON TYPE arbiter.loaded_event IS
    'an event as the log has it, with the last revision of its stream';

CREATE FUNCTION arbiter.load_stream(
    store text, stream text, lock boolean DEFAULT true, timeout interval DEFAULT '5s',
    from_revision bigint DEFAULT 0) RETURNS SETOF arbiter.loaded_event
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_load_stream';
COMMENT ON FUNCTION arbiter.load_stream(text, text, boolean, interval, bigint) IS
    'serializer: waits for the stream''s turn, then reads it with a fresh snapshot; an empty stream is one row of nulls with head -1';
