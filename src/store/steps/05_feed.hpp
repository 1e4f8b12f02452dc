// The feed's settled horizon, and its readers' cursors.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// Room in the pages, and no index on what changes, so that recording is a HOT update.
inline constexpr Step kFeed{.sql = R"sql(
CREATE TABLE {store}.feed (
    singleton pg_catalog.bool NOT NULL DEFAULT true,
    settled pg_catalog.int8 NOT NULL DEFAULT 0,
    settled_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT feed_pkey PRIMARY KEY (singleton),
    CONSTRAINT feed_singleton CHECK (singleton),
    CONSTRAINT feed_settled CHECK (settled OPERATOR(pg_catalog.>=) 0)
) WITH (fillfactor = 10);
COMMENT ON TABLE {store}.feed IS
    'the settled horizon: no event will appear at or below it, on the primary and on every standby';
CREATE TABLE {store}.cursors (
    consumer pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    "position" pg_catalog.int8 NOT NULL,
    saved_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT cursors_pkey PRIMARY KEY (consumer),
    CONSTRAINT cursors_position CHECK ("position" OPERATOR(pg_catalog.>=) 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE {store}.cursors IS 'how far each consumer of the feed has read';
)sql",
                            .sql_with_unique_event_ids = {},
                            .undo = "DROP TABLE {store}.cursors, {store}.feed"};

} // namespace arbiter::store::step
