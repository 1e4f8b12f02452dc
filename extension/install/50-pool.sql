CREATE FUNCTION arbiter.create_pool(
    store text, pool text, relation text, key text, owner_column text, since_column text, token_column text,
    predicate text, order_by text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_pool';
COMMENT ON FUNCTION arbiter.create_pool(text, text, text, text, text, text, text, text, text) IS
    'makes rows of a table of yours work that is handed out; from then on no owner changes without a larger token';

CREATE FUNCTION arbiter.drop_pool(store text, pool text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_pool';
COMMENT ON FUNCTION arbiter.drop_pool(text, text, boolean) IS
    'forgets a pool and takes its trigger off the table; refused while somebody owns a row unless force';

CREATE FUNCTION arbiter.allocate(store text, pool text, owner text, max_count bigint DEFAULT 1)
    RETURNS TABLE (key text, token bigint, "row" jsonb)
    LANGUAGE C VOLATILE ROWS 10 AS 'MODULE_PATHNAME', 'arbiter_allocate';
COMMENT ON FUNCTION arbiter.allocate(text, text, text, bigint) IS
    'arbiter: gives the owner up to max_count free rows, in the pool''s order, each to one owner only; never waits';

CREATE FUNCTION arbiter.hold_work(store text, pool text, key text, token bigint, touch boolean DEFAULT true) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_hold_work';
COMMENT ON FUNCTION arbiter.hold_work(text, text, text, bigint, boolean) IS
    'arbiter: locks a row to the end of the transaction if the token still holds it; RB020 tells who owns it now';

CREATE FUNCTION arbiter.release_work(
    store text, pool text, key text, token bigint, retry_after interval DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_release_work';
COMMENT ON FUNCTION arbiter.release_work(text, text, text, bigint, interval) IS
    'arbiter: gives a row back, free at once or after that time; RB020 if the token does not hold it any more';

CREATE FUNCTION arbiter.reassign(store text, pool text, key text, new_owner text, reason text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_reassign';
COMMENT ON FUNCTION arbiter.reassign(text, text, text, text, text) IS
    'arbiter: takes a row from whoever has it, who is fenced from then on; returns the new owner''s token';

CREATE FUNCTION arbiter.return_stale(store text, pool text, older_than interval, max_count bigint)
    RETURNS TABLE (key text, outcome text, error text)
    LANGUAGE C VOLATILE ROWS 100 AS 'MODULE_PATHNAME', 'arbiter_return_stale';
COMMENT ON FUNCTION arbiter.return_stale(text, text, interval, bigint) IS
    'arbiter: gives rows back that were owned for that long, each on its own: a bad one is reported and stops no other';

CREATE FUNCTION arbiter.guard_pool() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_pool';
COMMENT ON FUNCTION arbiter.guard_pool() IS
    'internal, arbiter: no owner changes without a larger token, and no token decreases, whoever writes';
