// Failed events about which a person has decided.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

inline constexpr Step kResolution{.sql = R"sql(
CREATE TABLE {store}.resolutions (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    entity pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    revision pg_catalog.int8 NOT NULL,
    attempts pg_catalog.int8 NOT NULL,
    error pg_catalog.text NOT NULL,
    reason pg_catalog.text NOT NULL,
    resolved_by pg_catalog.text NOT NULL DEFAULT SESSION_USER,
    resolved_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT resolutions_projection_fkey FOREIGN KEY (projection) REFERENCES {store}.projections
);
COMMENT ON TABLE {store}.resolutions IS
    'failures and debts that a person has declared settled, and why';
)sql",
                                  .sql_with_unique_event_ids = {},
                                  .undo = "DROP TABLE {store}.resolutions"};

} // namespace arbiter::store::step
