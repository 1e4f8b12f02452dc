// Projections: the registry, the offsets, and what failed.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// Offsets leave room in their pages, and have no index but the one, so that an advance is a HOT
// update: a new version in the same page, and no index entry.
inline constexpr Step kProjection{.sql = R"sql(
CREATE TABLE {store}.projections (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    kind pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    strict pg_catalog.bool NOT NULL,
    max_attempts pg_catalog.int8 NOT NULL,
    handler pg_catalog.text,
    reconciler pg_catalog.text,
    reconcile_every pg_catalog.interval,
    types pg_catalog.text[],
    category pg_catalog.text COLLATE pg_catalog."C",
    owner pg_catalog.text NOT NULL DEFAULT CURRENT_USER,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT projections_pkey PRIMARY KEY (projection),
    CONSTRAINT projections_kind CHECK (
        kind OPERATOR(pg_catalog.=) 'inline' OR kind OPERATOR(pg_catalog.=) 'transactional'
        OR kind OPERATOR(pg_catalog.=) 'async' OR kind OPERATOR(pg_catalog.=) 'external'),
    CONSTRAINT projections_debts_are_owed CHECK (
        kind OPERATOR(pg_catalog.<>) 'async' OR reconciler IS NOT NULL),
    CONSTRAINT projections_reconciler CHECK (
        (reconciler IS NULL) OPERATOR(pg_catalog.=) (reconcile_every IS NULL))
);
COMMENT ON TABLE {store}.projections IS 'who derives something from events, and how';
CREATE TABLE {store}.offsets (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    entity pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    revision pg_catalog.int8 NOT NULL,
    CONSTRAINT offsets_pkey PRIMARY KEY (projection, entity),
    CONSTRAINT offsets_projection_fkey FOREIGN KEY (projection) REFERENCES {store}.projections,
    CONSTRAINT offsets_revision CHECK (revision OPERATOR(pg_catalog.>=) 0)
) WITH (fillfactor = 70);
COMMENT ON TABLE {store}.offsets IS
    'the last revision of an entity that a projection has applied: the arbiter of "already applied"';
CREATE TABLE {store}.failed_events (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    entity pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    revision pg_catalog.int8 NOT NULL,
    attempts pg_catalog.int8 NOT NULL,
    error pg_catalog.text NOT NULL,
    event pg_catalog.jsonb,
    first_failed_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    last_failed_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    next_attempt_at pg_catalog.timestamptz,
    passed_at pg_catalog.timestamptz,
    CONSTRAINT failed_events_pkey PRIMARY KEY (projection, entity, revision),
    CONSTRAINT failed_events_projection_fkey FOREIGN KEY (projection) REFERENCES {store}.projections
);
COMMENT ON TABLE {store}.failed_events IS
    'events whose effect failed: behind the views failures and debts';
CREATE VIEW {store}.failures WITH (security_invoker = true) AS
    SELECT f.projection, f.entity, f.revision, f.attempts, f.next_attempt_at, f.error, f.event,
           f.first_failed_at, f.last_failed_at
      FROM {store}.failed_events AS f
     WHERE f.passed_at IS NULL
       AND NOT EXISTS (SELECT FROM {store}.offsets AS o
                        WHERE o.projection OPERATOR(pg_catalog.=) f.projection
                          AND o.entity OPERATOR(pg_catalog.=) f.entity
                          AND o.revision OPERATOR(pg_catalog.>=) f.revision);
COMMENT ON VIEW {store}.failures IS
    'events that failed and have not been applied since: each holds its entity back';
CREATE VIEW {store}.debts WITH (security_invoker = true) AS
    SELECT f.projection, f.entity, f.revision, f.attempts, f.passed_at, f.error, f.event,
           f.first_failed_at, f.last_failed_at
      FROM {store}.failed_events AS f
     WHERE f.passed_at IS NOT NULL;
COMMENT ON VIEW {store}.debts IS
    'events that failed and were passed: their effects are owed by the reconciler';
)sql",
                                  .sql_with_unique_event_ids = {},
                                  .undo = R"sql(
DROP VIEW {store}.failures, {store}.debts;
DROP TABLE {store}.failed_events, {store}.offsets, {store}.projections;
)sql"};

} // namespace arbiter::store::step
