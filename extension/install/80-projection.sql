CREATE FUNCTION arbiter.create_projection(
    store text, projection text, kind text, handler text DEFAULT NULL, reconciler text DEFAULT NULL,
    reconcile_every interval DEFAULT NULL, types text[] DEFAULT NULL, category text DEFAULT NULL,
    strict boolean DEFAULT true, max_attempts bigint DEFAULT 10) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_projection';
COMMENT ON FUNCTION arbiter.create_projection(text, text, text, text, text, interval, text[], text, boolean, bigint) IS
    'registers who derives something from events; identical again is a no-op';

CREATE FUNCTION arbiter.drop_projection(
    store text, projection text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_projection';
COMMENT ON FUNCTION arbiter.drop_projection(text, text, boolean) IS
    'forgets a projection; refused while it has offsets unless force';

CREATE FUNCTION arbiter.advance(
    store text, projection text, entity text, revision bigint) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_advance_text';
COMMENT ON FUNCTION arbiter.advance(text, text, text, bigint) IS
    'arbiter: true means apply the effect of this revision in this transaction, false that it has been applied; a gap is RB010';

CREATE FUNCTION arbiter.last_revision(
    store text, projection text, entity text) RETURNS bigint
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_last_revision_text';
COMMENT ON FUNCTION arbiter.last_revision(text, text, text) IS
    'hint: last revision of an entity that a projection has applied, -1 if none; advance decides';

CREATE FUNCTION arbiter.start_at(
    store text, projection text, entity text, revision bigint) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_start_at_text';
COMMENT ON FUNCTION arbiter.start_at(text, text, text, bigint) IS
    'arbiter: makes this revision the next one of an entity; false if the offset is past it, for it never moves back';

CREATE FUNCTION arbiter.fail_event(
    store text, projection text, entity text, revision bigint, error text,
    event jsonb DEFAULT NULL, token bigint DEFAULT NULL) RETURNS timestamptz
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_fail_event_text';
COMMENT ON FUNCTION arbiter.fail_event(text, text, text, bigint, text, jsonb, bigint) IS
    'arbiter: counts a failed attempt and says when the next is due; null if there is none to come: the event is applied, or passed';

CREATE FUNCTION arbiter.pass_event(
    store text, projection text, entity text, revision bigint, error text,
    event jsonb DEFAULT NULL) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_pass_event_text';
COMMENT ON FUNCTION arbiter.pass_event(text, text, text, bigint, text, jsonb) IS
    'arbiter: moves past an event that failed and records the debt in one commit; only where a reconciler pays';

CREATE FUNCTION arbiter.advance(
    store text, projection text, entity uuid, revision bigint) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_advance_uuid';
COMMENT ON FUNCTION arbiter.advance(text, text, uuid, bigint) IS
    'arbiter: true means apply the effect of this revision in this transaction, false that it has been applied; a gap is RB010, entity as a uuid';

CREATE FUNCTION arbiter.last_revision(
    store text, projection text, entity uuid) RETURNS bigint
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_last_revision_uuid';
COMMENT ON FUNCTION arbiter.last_revision(text, text, uuid) IS
    'hint: last revision of an entity that a projection has applied, -1 if none; advance decides, entity as a uuid';

CREATE FUNCTION arbiter.start_at(
    store text, projection text, entity uuid, revision bigint) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_start_at_uuid';
COMMENT ON FUNCTION arbiter.start_at(text, text, uuid, bigint) IS
    'arbiter: makes this revision the next one of an entity; false if the offset is past it, for it never moves back, entity as a uuid';

CREATE FUNCTION arbiter.fail_event(
    store text, projection text, entity uuid, revision bigint, error text,
    event jsonb DEFAULT NULL, token bigint DEFAULT NULL) RETURNS timestamptz
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_fail_event_uuid';
COMMENT ON FUNCTION arbiter.fail_event(text, text, uuid, bigint, text, jsonb, bigint) IS
    'arbiter: counts a failed attempt and says when the next is due; null if there is none to come: the event is applied, or passed, entity as a uuid';

CREATE FUNCTION arbiter.pass_event(
    store text, projection text, entity uuid, revision bigint, error text,
    event jsonb DEFAULT NULL) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_pass_event_uuid';
COMMENT ON FUNCTION arbiter.pass_event(text, text, uuid, bigint, text, jsonb) IS
    'arbiter: moves past an event that failed and records the debt in one commit; only where a reconciler pays, entity as a uuid';

CREATE FUNCTION arbiter.guard_offsets() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_offsets';
COMMENT ON FUNCTION arbiter.guard_offsets() IS
    'internal, arbiter: refuses UPDATE, DELETE and TRUNCATE of offsets';

CREATE FUNCTION arbiter.guard_projections() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_projections';
COMMENT ON FUNCTION arbiter.guard_projections() IS
    'internal, arbiter: nobody writes a projection in the name of somebody whose rights he does not have';

CREATE FUNCTION arbiter.apply_inline() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_apply_inline';
COMMENT ON FUNCTION arbiter.apply_inline() IS
    'internal, arbiter: shows each new event to the inline projections, in the transaction of its writer';

CREATE FUNCTION arbiter.run_projection(
    store text, projection text, max_count bigint DEFAULT 1000,
    OUT outcome text, OUT applied bigint, OUT failed bigint, OUT held_back bigint,
    OUT reached bigint, OUT caught_up boolean)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_run_projection';
COMMENT ON FUNCTION arbiter.run_projection(text, text, bigint) IS
    'arbiter: applies the next events of a transactional or async projection: effects, offsets and cursor in this transaction; busy if another runner has it';

CREATE PROCEDURE arbiter.run_projections(
    store text, max_count bigint DEFAULT 1000, INOUT applied bigint DEFAULT NULL, INOUT failed bigint DEFAULT NULL)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_run_projections';
COMMENT ON PROCEDURE arbiter.run_projections(text, bigint, bigint, bigint) IS
    'arbiter: runs every transactional and async projection of a store until it has caught up, committing after each batch; attempts are counted before they are made';

CREATE FUNCTION arbiter.retry_failures(
    store text, projection text, max_count bigint DEFAULT 1000,
    OUT outcome text, OUT applied bigint, OUT failed bigint)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_retry_failures';
COMMENT ON FUNCTION arbiter.retry_failures(text, text, bigint) IS
    'arbiter: tries what is held back and what is owed again, whether due or not; busy if a runner has the projection';

CREATE FUNCTION arbiter.resolve_failure(
    store text, projection text, entity text, revision bigint, reason text) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_resolve_failure';
COMMENT ON FUNCTION arbiter.resolve_failure(text, text, text, bigint, text) IS
    'arbiter: a person decides that a failed or owed effect is settled; its entity goes on behind it';

CREATE FUNCTION arbiter.rebuild_projection(store text, projection text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_rebuild_projection';
COMMENT ON FUNCTION arbiter.rebuild_projection(text, text) IS
    'arbiter: forgets what a projection has applied, so that all of it is applied again; empty its read model in the same transaction';

CREATE PROCEDURE arbiter.wait_for_projection(
    store text, projection text, stream text, revision bigint, timeout interval DEFAULT '5s',
    INOUT ready boolean DEFAULT NULL)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_wait_for_projection';
COMMENT ON PROCEDURE arbiter.wait_for_projection(text, text, text, bigint, interval, boolean) IS
    'hint: returns when a projection has come past an event, or the time is up';

CREATE FUNCTION arbiter.reconcile(
    store text, projection text, OUT checked bigint, OUT repaired bigint, OUT failed bigint)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_reconcile';
COMMENT ON FUNCTION arbiter.reconcile(text, text) IS
    'arbiter: asks the reconciler which effects are missing, and offers each event to the handler again';

CREATE FUNCTION arbiter.record_reconciliation(
    store text, projection text, checked bigint, repaired bigint, failed bigint,
    detail jsonb DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_record_reconciliation';
COMMENT ON FUNCTION arbiter.record_reconciliation(text, text, bigint, bigint, bigint, jsonb) IS
    'hint: records what an outside process found when it compared what should exist with what does';

CREATE TYPE arbiter.taken_event AS (
    "position" bigint,
    stream text,
    revision bigint,
    id uuid,
    type text,
    data jsonb,
    metadata jsonb,
    recorded_at timestamptz,
    token bigint
);
COMMENT ON TYPE arbiter.taken_event IS
    'an event as a worker takes it, with the token of its stream where the projection is async';

CREATE FUNCTION arbiter.next_events(
    store text, projection text, max_count bigint DEFAULT 100, lease interval DEFAULT NULL)
    RETURNS SETOF arbiter.taken_event
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_next_events';
COMMENT ON FUNCTION arbiter.next_events(text, text, bigint, interval) IS
    'serializer: takes streams of a projection without a handler that no other worker has, and returns their next events; advance and done_event decide';

CREATE FUNCTION arbiter.done_event(
    store text, projection text, entity text, revision bigint, token bigint) RETURNS boolean
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_done_event';
COMMENT ON FUNCTION arbiter.done_event(text, text, text, bigint, bigint) IS
    'arbiter: the effect has happened, says the worker whose token holds the stream; false if it had said so before, RB020 if another has the stream';
