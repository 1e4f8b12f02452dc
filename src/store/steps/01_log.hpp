// Format 1: the registry row and the log.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

inline constexpr Step kLog{.sql = R"sql(
CREATE TABLE {store}.arbiter_store (
    singleton pg_catalog.bool NOT NULL DEFAULT true,
    format pg_catalog.int4 NOT NULL,
    unique_event_ids pg_catalog.bool NOT NULL,
    owns_schema pg_catalog.bool NOT NULL,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT arbiter_store_pkey PRIMARY KEY (singleton),
    CONSTRAINT arbiter_store_singleton CHECK (singleton)
);
COMMENT ON TABLE {store}.arbiter_store IS 'this schema is an arbiter store: its format and settings';
CREATE TABLE {store}.events (
    "position" pg_catalog.int8 NOT NULL,
    stream pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    revision pg_catalog.int8 NOT NULL,
    id pg_catalog.uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
    type pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    data pg_catalog.jsonb NOT NULL,
    metadata pg_catalog.jsonb NOT NULL DEFAULT '{}',
    recorded_at pg_catalog.timestamptz NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (stream, revision),
    CONSTRAINT events_position_key UNIQUE ("position")
);
COMMENT ON TABLE {store}.events IS 'the log: append-only, the primary key is the arbiter of revisions';
CREATE SEQUENCE {store}.events_position AS pg_catalog.int8 CACHE 1 NO CYCLE
    OWNED BY {store}.events."position";
)sql",
                           .sql_with_unique_event_ids = R"sql(
ALTER TABLE {store}.events ADD CONSTRAINT events_stream_id_key UNIQUE (stream, id);
)sql",
                           .undo = "DROP TABLE {store}.events, {store}.arbiter_store"};

} // namespace arbiter::store::step
