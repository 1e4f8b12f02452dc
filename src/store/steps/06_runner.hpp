// How far this log's own projections have come, and when what they did was last compared.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// Cursors leave room in their pages and have no index on what changes, so that a batch moves one by
// a HOT update. Of failed events the ones that hold a stream back are few and asked for with every
// batch; debts may be many.
inline constexpr Step kRunner{.sql = R"sql(
CREATE TABLE {store}.projection_cursors (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    "position" pg_catalog.int8 NOT NULL DEFAULT 0,
    moved_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    runner pg_catalog.int8,
    CONSTRAINT projection_cursors_pkey PRIMARY KEY (projection),
    CONSTRAINT projection_cursors_projection_fkey
        FOREIGN KEY (projection) REFERENCES {store}.projections,
    CONSTRAINT projection_cursors_position CHECK ("position" OPERATOR(pg_catalog.>=) 0)
) WITH (fillfactor = 10);
COMMENT ON TABLE {store}.projection_cursors IS
    'up to which position a projection has looked at every event: a hint, offsets decide';
CREATE TABLE {store}.reconciliations (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    checked pg_catalog.int8 NOT NULL,
    repaired pg_catalog.int8 NOT NULL,
    failed pg_catalog.int8 NOT NULL,
    detail pg_catalog.jsonb,
    reconciled_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT reconciliations_pkey PRIMARY KEY (projection),
    CONSTRAINT reconciliations_projection_fkey
        FOREIGN KEY (projection) REFERENCES {store}.projections,
    CONSTRAINT reconciliations_counts CHECK (
        checked OPERATOR(pg_catalog.>=) 0 AND repaired OPERATOR(pg_catalog.>=) 0
        AND failed OPERATOR(pg_catalog.>=) 0)
);
COMMENT ON TABLE {store}.reconciliations IS
    'when what a projection should have done was last compared with what it did, and what came of it';
CREATE INDEX failed_events_open ON {store}.failed_events (projection, next_attempt_at)
    WHERE passed_at IS NULL;
CREATE VIEW {store}.projection_status WITH (security_invoker = true) AS
    SELECT p.projection, p.kind, p.owner, c."position",
           CASE WHEN c."position" IS NOT NULL THEN
               (SELECT pg_catalog.count(*) FROM {store}.events AS e
                 WHERE e."position" OPERATOR(pg_catalog.>) c."position") END AS lag_events,
           CASE WHEN c."position" IS NOT NULL THEN
               COALESCE((SELECT EXTRACT(epoch FROM pg_catalog.clock_timestamp()
                                                   OPERATOR(pg_catalog.-) e.recorded_at)
                           FROM {store}.events AS e
                          WHERE e."position" OPERATOR(pg_catalog.>) c."position"
                          ORDER BY e."position" LIMIT 1), 0) END AS lag_seconds,
           c.moved_at, f.held_back, f.next_attempt_at,
           (SELECT pg_catalog.count(*) FROM {store}.debts AS d
             WHERE d.projection OPERATOR(pg_catalog.=) p.projection) AS debts,
           r.reconciled_at,
           COALESCE(r.reconciled_at, p.created_at) OPERATOR(pg_catalog.+) p.reconcile_every
               AS reconcile_due_at,
           COALESCE(COALESCE(r.reconciled_at, p.created_at)
                        OPERATOR(pg_catalog.+) p.reconcile_every
                        OPERATOR(pg_catalog.<) pg_catalog.clock_timestamp(), false)
               AS reconcile_overdue
      FROM {store}.projections AS p
      LEFT JOIN {store}.projection_cursors AS c
        ON c.projection OPERATOR(pg_catalog.=) p.projection
      LEFT JOIN {store}.reconciliations AS r
        ON r.projection OPERATOR(pg_catalog.=) p.projection
      CROSS JOIN LATERAL
          (SELECT pg_catalog.count(*) AS held_back, pg_catalog.min(b.next_attempt_at) AS next_attempt_at
             FROM {store}.failures AS b
            WHERE b.projection OPERATOR(pg_catalog.=) p.projection) AS f;
COMMENT ON VIEW {store}.projection_status IS
    'of each projection: how far it lags behind, what it holds back, what it owes';
)sql",
                              .sql_with_unique_event_ids = {},
                              .undo = R"sql(
DROP VIEW {store}.projection_status;
DROP TABLE {store}.reconciliations, {store}.projection_cursors;
)sql"};

} // namespace arbiter::store::step
