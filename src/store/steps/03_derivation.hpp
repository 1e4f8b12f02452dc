// Format 3: the registry of derivations.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// Text throughout, and not jsonb: what is hashed must come back octet by octet.
inline constexpr Step kDerivation{.sql = R"sql(
CREATE TABLE {store}.derivations (
    name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    spec pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    sealed_vector pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    sealed_digest pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    vectors pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    supersedes pg_catalog.text COLLATE pg_catalog."C",
    digest pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    dropped_at pg_catalog.timestamptz,
    CONSTRAINT derivations_pkey PRIMARY KEY (name),
    CONSTRAINT derivations_supersedes_key UNIQUE (supersedes),
    CONSTRAINT derivations_supersedes_fkey FOREIGN KEY (supersedes) REFERENCES {store}.derivations
);
COMMENT ON TABLE {store}.derivations IS
    'how ids are derived from natural keys: frozen, one function of the same name for each';
)sql",
                                  .undo = R"sql(
DO $undo$
DECLARE
    made pg_catalog.regprocedure;
BEGIN
    FOR made IN
        SELECT p.oid::pg_catalog.regprocedure
          FROM {store}.derivations AS d
          JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) d.tableoid
          JOIN pg_catalog.pg_proc AS p
            ON p.pronamespace OPERATOR(pg_catalog.=) c.relnamespace
           AND p.proname::pg_catalog.text COLLATE pg_catalog."C" OPERATOR(pg_catalog.=) d.name
         WHERE pg_catalog.starts_with(p.prosrc, 'SELECT arbiter.derived_id(')
    LOOP
        EXECUTE pg_catalog.concat('DROP FUNCTION ', made::pg_catalog.text);
    END LOOP;
END
$undo$;
DROP TABLE {store}.derivations;
)sql"};

} // namespace arbiter::store::step
