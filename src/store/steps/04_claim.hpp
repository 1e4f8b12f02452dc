// Ledgers and their claims.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// The digest stands in for keys of any length in the index. The table computes it, so a row written
// by hand meets the same key: SHA-256 of the key's bytes, cut to sixteen (decode undoes no more
// than what replace has put in; there is no other immutable way from text to its bytes).
//
// Claims leave room in their pages, and have no index but the one, so that settling is a HOT
// update: a new version in the same page, and no index entry.
inline constexpr Step kClaim{.sql = R"sql(
CREATE TABLE {store}.ledgers (
    ledger pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    takeover pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    lease pg_catalog.interval,
    durable pg_catalog.bool NOT NULL,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT ledgers_pkey PRIMARY KEY (ledger),
    CONSTRAINT ledgers_takeover CHECK (
        takeover OPERATOR(pg_catalog.=) 'never' OR takeover OPERATOR(pg_catalog.=) 'after_lease'),
    CONSTRAINT ledgers_lease CHECK (
        (takeover OPERATOR(pg_catalog.=) 'after_lease') OPERATOR(pg_catalog.=) (lease IS NOT NULL))
);
COMMENT ON TABLE {store}.ledgers IS 'what is claimed before it is done, and under which policy';
CREATE TABLE {store}.claims (
    ledger pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    digest pg_catalog.uuid NOT NULL GENERATED ALWAYS AS (
        pg_catalog.encode(pg_catalog.substring(pg_catalog.sha256(pg_catalog.decode(
            pg_catalog.replace(key, E'\\', E'\\\\'), 'escape')), 1, 16), 'hex')::pg_catalog.uuid) STORED,
    key pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    token pg_catalog.int8 NOT NULL
        DEFAULT (EXTRACT(epoch FROM pg_catalog.clock_timestamp())
                 OPERATOR(pg_catalog.*) 1000000)::pg_catalog.int8,
    state pg_catalog.text COLLATE pg_catalog."C" NOT NULL DEFAULT 'claimed',
    claimed_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    lease_until pg_catalog.timestamptz,
    settled_at pg_catalog.timestamptz,
    fingerprint pg_catalog.text COLLATE pg_catalog."C",
    claimant pg_catalog.text COLLATE pg_catalog."C",
    result pg_catalog.jsonb,
    CONSTRAINT claims_pkey PRIMARY KEY (ledger, digest),
    CONSTRAINT claims_ledger_fkey FOREIGN KEY (ledger) REFERENCES {store}.ledgers,
    CONSTRAINT claims_token CHECK (token OPERATOR(pg_catalog.>) 0),
    CONSTRAINT claims_state CHECK (
        state OPERATOR(pg_catalog.=) 'claimed' OR state OPERATOR(pg_catalog.=) 'done'
        OR state OPERATOR(pg_catalog.=) 'failed' OR state OPERATOR(pg_catalog.=) 'unknown'),
    CONSTRAINT claims_settled CHECK (
        (state OPERATOR(pg_catalog.=) 'claimed') OPERATOR(pg_catalog.=) (settled_at IS NULL))
) WITH (fillfactor = 80);
COMMENT ON TABLE {store}.claims IS 'who has claimed what, and how it ended: the primary key is the arbiter';
CREATE TABLE {store}.takeovers (
    ledger pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    key pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    token pg_catalog.int8 NOT NULL,
    former_token pg_catalog.int8 NOT NULL,
    former_state pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    former_claimant pg_catalog.text COLLATE pg_catalog."C",
    reason pg_catalog.text NOT NULL,
    taken_by pg_catalog.text NOT NULL DEFAULT SESSION_USER,
    taken_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT takeovers_ledger_fkey FOREIGN KEY (ledger) REFERENCES {store}.ledgers
);
COMMENT ON TABLE {store}.takeovers IS 'claims that a person took over by force, and why';
CREATE VIEW {store}.unsettled_claims WITH (security_invoker = true) AS
    SELECT c.ledger, c.key, c.state, c.token, c.claimant,
           COALESCE(c.settled_at, c.claimed_at) AS since, c.lease_until,
           COALESCE(c.state OPERATOR(pg_catalog.=) 'claimed'
                    AND c.lease_until OPERATOR(pg_catalog.<=) pg_catalog.clock_timestamp(), false)
               AS lapsed
      FROM {store}.claims AS c
     WHERE c.state OPERATOR(pg_catalog.=) 'claimed' OR c.state OPERATOR(pg_catalog.=) 'unknown';
COMMENT ON VIEW {store}.unsettled_claims IS
    'claims of which nobody has said that they are done or failed';
)sql",
                             .sql_with_unique_event_ids = {},
                             .undo = R"sql(
DROP VIEW {store}.unsettled_claims;
DROP TABLE {store}.takeovers, {store}.claims, {store}.ledgers;
)sql"};

} // namespace arbiter::store::step
