// Format 7: state machines, and the sweeps that find work for them.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// A rest is found by the key's first 512 characters, which an index entry always holds. A key that
// is longer names no entity; it may share its rest with another one.
inline constexpr Step kMachine{.sql = R"sql(
CREATE TABLE {store}.machines (
    machine pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    category pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    initial pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    transitions pg_catalog.jsonb NOT NULL,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT machines_pkey PRIMARY KEY (machine)
);
COMMENT ON TABLE {store}.machines IS
    'which event types belong to a state machine, and what may follow what: asked at every write';
CREATE TABLE {store}.sweeps (
    sweep pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    relation pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    key pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    predicate pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    order_by pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    machine pg_catalog.text COLLATE pg_catalog."C",
    command pg_catalog.text COLLATE pg_catalog."C",
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT sweeps_pkey PRIMARY KEY (sweep),
    CONSTRAINT sweeps_machine_fkey FOREIGN KEY (machine) REFERENCES {store}.machines,
    CONSTRAINT sweeps_command CHECK (
        (machine IS NULL) OPERATOR(pg_catalog.=) (command IS NULL))
);
COMMENT ON TABLE {store}.sweeps IS 'where rows are found that are due, and which command is due';
CREATE TABLE {store}.sweep_rests (
    sweep pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    key pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    attempts pg_catalog.int8 NOT NULL,
    error pg_catalog.text,
    next_attempt_at pg_catalog.timestamptz NOT NULL,
    CONSTRAINT sweep_rests_pkey PRIMARY KEY (sweep, key),
    CONSTRAINT sweep_rests_sweep_fkey FOREIGN KEY (sweep) REFERENCES {store}.sweeps
) WITH (fillfactor = 80);
COMMENT ON TABLE {store}.sweep_rests IS
    'rows that a sweep has just tried: a hint, which may be deleted at any time';
)sql",
                               .sql_with_unique_event_ids = {},
                               .undo = R"sql(
DROP TABLE {store}.sweep_rests, {store}.sweeps, {store}.machines;
)sql"};

} // namespace arbiter::store::step
