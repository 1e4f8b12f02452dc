// Workers that share a projection: which of them has which stream, and which streams the others
// went past meanwhile.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// Like offsets, taken_streams has no index but the one and room in its pages, so that taking a
// stream again is a HOT update.
inline constexpr Step kWorker{.sql = R"sql(
CREATE TABLE {store}.taken_streams (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    entity pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    taken_to pg_catalog.int8 NOT NULL,
    token pg_catalog.int8,
    lease pg_catalog.interval,
    lease_until pg_catalog.timestamptz,
    CONSTRAINT taken_streams_pkey PRIMARY KEY (projection, entity),
    CONSTRAINT taken_streams_projection_fkey FOREIGN KEY (projection) REFERENCES {store}.projections,
    CONSTRAINT taken_streams_lease CHECK ((token IS NULL) OPERATOR(pg_catalog.=) (lease IS NULL))
) WITH (fillfactor = 70);
COMMENT ON TABLE {store}.taken_streams IS
    'which worker has which stream of a projection: the primary key is the arbiter of tokens';
CREATE TABLE {store}.streams_set_aside (
    projection pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    entity pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    CONSTRAINT streams_set_aside_pkey PRIMARY KEY (projection, entity),
    CONSTRAINT streams_set_aside_projection_fkey
        FOREIGN KEY (projection) REFERENCES {store}.projections
);
COMMENT ON TABLE {store}.streams_set_aside IS
    'streams that the cursor of a projection has gone past although events of theirs are to be applied';
)sql",
                              .sql_with_unique_event_ids = {},
                              .undo =
                                  "DROP TABLE {store}.streams_set_aside, {store}.taken_streams"};

} // namespace arbiter::store::step
