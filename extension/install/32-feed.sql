CREATE FUNCTION arbiter.read_feed(
    store text, after bigint DEFAULT 0, max_count bigint DEFAULT 1000,
    types text[] DEFAULT NULL, category text DEFAULT NULL) RETURNS SETOF arbiter.recorded_event
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_read_feed';
COMMENT ON FUNCTION arbiter.read_feed(text, bigint, bigint, text[], text) IS
    'hint: events of the whole store in the order of positions; ends before the first position at which one may still appear';

-- Stable, so that an index scan on events can be bounded by it: whatever it says holds for the statement's snapshot.
CREATE FUNCTION arbiter.feed_horizon(store text, after bigint DEFAULT 0) RETURNS bigint
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_feed_horizon';
COMMENT ON FUNCTION arbiter.feed_horizon(text, bigint) IS
    'hint: every position up to it is settled in the sight of this statement: no event will appear there any more';

CREATE FUNCTION arbiter.feed_blockers(
    store text, OUT pid integer, OUT gid text, OUT since timestamptz, OUT first_position bigint,
    OUT query text) RETURNS SETOF record
    LANGUAGE C VOLATILE ROWS 5 AS 'MODULE_PATHNAME', 'arbiter_feed_blockers';
COMMENT ON FUNCTION arbiter.feed_blockers(text) IS
    'hint: the open transactions that may have drawn the first position behind the horizon';

CREATE PROCEDURE arbiter.wait_for_events(
    store text, after bigint, timeout interval DEFAULT '5s', INOUT ready boolean DEFAULT NULL)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_wait_for_events';
COMMENT ON PROCEDURE arbiter.wait_for_events(text, bigint, interval, boolean) IS
    'hint: waits until read_feed has an event after that position, or the time is up; holds no snapshot meanwhile';

CREATE PROCEDURE arbiter.settle_feed(store text)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_settle_feed';
COMMENT ON PROCEDURE arbiter.settle_feed(text) IS
    'hint: records the horizon in the store: standbys pass the gaps below it, and readers need not look at them again';

CREATE FUNCTION arbiter.save_cursor(store text, consumer text, reached bigint) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_save_cursor';
COMMENT ON FUNCTION arbiter.save_cursor(text, text, bigint) IS
    'arbiter: moves a consumer''s cursor forward, never back; returns where it stands';

CREATE FUNCTION arbiter.cursor(store text, consumer text) RETURNS bigint
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_cursor';
COMMENT ON FUNCTION arbiter.cursor(text, text) IS
    'hint: where a consumer''s cursor stands, 0 if it was never saved';

CREATE FUNCTION arbiter.guard_feed() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_feed';
COMMENT ON FUNCTION arbiter.guard_feed() IS
    'internal, arbiter: the settled horizon never goes back and never runs ahead, whoever writes it';

CREATE FUNCTION arbiter.guard_cursors() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_cursors';
COMMENT ON FUNCTION arbiter.guard_cursors() IS
    'internal, arbiter: a cursor never moves back, whoever writes it';
