CREATE TYPE arbiter.claim_answer AS (
    outcome text,
    token bigint,
    state text,
    result jsonb,
    claimant text,
    since timestamptz
);
COMMENT ON TYPE arbiter.claim_answer IS
    'what claim says: won, taken, settled or busy, and the claim as it stands';

CREATE FUNCTION arbiter.create_ledger(
    store text, ledger text, takeover text DEFAULT 'never', lease interval DEFAULT NULL,
    durable boolean DEFAULT true) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_ledger';
COMMENT ON FUNCTION arbiter.create_ledger(text, text, text, interval, boolean) IS
    'makes a ledger whose keys are claimed at most once (never) or at least once (after_lease); identical again is a no-op';

CREATE FUNCTION arbiter.drop_ledger(store text, ledger text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_ledger';
COMMENT ON FUNCTION arbiter.drop_ledger(text, text, boolean) IS
    'forgets a ledger and its claims; refused while some are not settled unless force';

CREATE FUNCTION arbiter.claim(
    store text, ledger text, key text, fingerprint text DEFAULT NULL, claimant text DEFAULT NULL,
    wait interval DEFAULT '0') RETURNS arbiter.claim_answer
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_claim';
COMMENT ON FUNCTION arbiter.claim(text, text, text, text, text, interval) IS
    'arbiter: one claimant wins a key, the others are told who has it or how it ended; commit before doing it';

CREATE FUNCTION arbiter.claim_keys(
    store text, ledger text, keys text[], fingerprint text DEFAULT NULL, claimant text DEFAULT NULL,
    wait interval DEFAULT '0')
    RETURNS TABLE (key text, outcome text, token bigint, state text, result jsonb, claimant text, since timestamptz)
    LANGUAGE C VOLATILE ROWS 100 AS 'MODULE_PATHNAME', 'arbiter_claim_keys';
COMMENT ON FUNCTION arbiter.claim_keys(text, text, text[], text, text, interval) IS
    'arbiter: claim for each of many keys, in the order given; batches never deadlock with each other';

CREATE FUNCTION arbiter.settle(
    store text, ledger text, key text, token bigint, state text, result jsonb DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_settle';
COMMENT ON FUNCTION arbiter.settle(text, text, text, bigint, text, jsonb) IS
    'arbiter: the holder of a claim says it is done, failed or unknown; RB020 tells who holds it now';

CREATE TYPE arbiter.settle_answer AS (
    key text, outcome text, token bigint, state text, claimant text
);
COMMENT ON TYPE arbiter.settle_answer IS
    'what settle_keys says of a key: settled or lost, and the claim as it stands';

CREATE FUNCTION arbiter.settle_keys(
    store text, ledger text, keys text[], tokens bigint[], state text, results jsonb DEFAULT NULL)
    RETURNS SETOF arbiter.settle_answer
    LANGUAGE C VOLATILE ROWS 100 AS 'MODULE_PATHNAME', 'arbiter_settle_keys';
COMMENT ON FUNCTION arbiter.settle_keys(text, text, text[], bigint[], text, jsonb) IS
    'arbiter: settle for each of many keys; what one has lost keeps no other from being settled';

CREATE FUNCTION arbiter.renew(store text, ledger text, key text, token bigint) RETURNS timestamptz
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_renew';
COMMENT ON FUNCTION arbiter.renew(text, text, text, bigint) IS
    'arbiter: begins the lease anew and returns its end; RB020 once it has lapsed or the claim is another''s';

CREATE FUNCTION arbiter.force_takeover(store text, ledger text, key text, reason text) RETURNS bigint
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_force_takeover';
COMMENT ON FUNCTION arbiter.force_takeover(text, text, text, text) IS
    'arbiter: a person takes a claim that is not done from whoever has it; returns the new token, records the reason';

CREATE PROCEDURE arbiter.prune_claims(store text, ledger text, older_than interval)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_prune_claims';
COMMENT ON PROCEDURE arbiter.prune_claims(text, text, interval) IS
    'forgets claims settled as done or failed longer ago than that, committing as it goes; they can be claimed again';

CREATE FUNCTION arbiter.guard_claims() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_claims';
COMMENT ON FUNCTION arbiter.guard_claims() IS
    'internal, arbiter: tokens never decrease, what is done never reopens, and no claim vanishes, whoever writes';
