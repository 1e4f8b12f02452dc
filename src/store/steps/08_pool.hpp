// Pools over the users' own tables, and who was given work by hand.
#pragma once

#include "store/format.hpp"

namespace arbiter::store::step {

// The table is remembered as what it is and not by its name, so it may be renamed and moved; a dump
// writes the name, a restore finds the table by it. Its trigger is on a table outside of the store,
// so the step says how it is put back and taken away.
inline constexpr Step kPool{.sql = R"sql(
CREATE TABLE {store}.pools (
    pool pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    relation pg_catalog.regclass NOT NULL,
    key_column pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    owner_column pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    since_column pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    token_column pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    predicate pg_catalog.text COLLATE pg_catalog."C",
    order_by pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    created_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now(),
    CONSTRAINT pools_pkey PRIMARY KEY (pool)
);
COMMENT ON TABLE {store}.pools IS 'tables whose rows are work for many, and how it is handed out';
CREATE TABLE {store}.reassignments (
    pool pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    key pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
    token pg_catalog.int8 NOT NULL,
    owner pg_catalog.text NOT NULL,
    former_token pg_catalog.int8,
    former_owner pg_catalog.text,
    reason pg_catalog.text,
    reassigned_by pg_catalog.text NOT NULL DEFAULT SESSION_USER,
    reassigned_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT reassignments_pool_fkey FOREIGN KEY (pool) REFERENCES {store}.pools
);
COMMENT ON TABLE {store}.reassignments IS 'work that was taken from one and given to another, and why';
)sql",
                            .sql_with_unique_event_ids = {},
                            .undo = R"sql(
DO $undo$
DECLARE
    statement pg_catalog.text;
BEGIN
    FOR statement IN
        SELECT pg_catalog.format('DROP TRIGGER %I ON %s', t.tgname, p.relation)
          FROM {store}.pools AS p
          JOIN pg_catalog.pg_trigger AS t
            ON t.tgrelid OPERATOR(pg_catalog.=) p.relation
           AND t.tgname::pg_catalog.text COLLATE pg_catalog."C"
               OPERATOR(pg_catalog.=) pg_catalog.concat('zz_arbiter_pool_', p.pool)
    LOOP
        EXECUTE statement;
    END LOOP;
END
$undo$;
DROP TABLE {store}.reassignments, {store}.pools;
)sql",
                            .put_back = R"sql(
SELECT pg_catalog.format(
           'CREATE OR REPLACE TRIGGER %1$I BEFORE UPDATE ON %2$s FOR EACH ROW '
           'EXECUTE FUNCTION arbiter.guard_pool(%3$L, %4$L, %5$L, %6$L); '
           'ALTER TABLE %2$s ENABLE TRIGGER %1$I',
           pg_catalog.concat('zz_arbiter_pool_', p.pool), p.relation, n.nspname, p.pool,
           p.owner_column, p.token_column)
  FROM {store}.pools AS p
  JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) p.relation
  JOIN pg_catalog.pg_class AS r ON r.oid OPERATOR(pg_catalog.=) p.tableoid
  JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) r.relnamespace
 WHERE NOT EXISTS (
           SELECT FROM pg_catalog.pg_trigger AS t
             JOIN pg_catalog.pg_proc AS f ON f.oid OPERATOR(pg_catalog.=) t.tgfoid
             JOIN pg_catalog.pg_namespace AS s ON s.oid OPERATOR(pg_catalog.=) f.pronamespace
            WHERE t.tgrelid OPERATOR(pg_catalog.=) p.relation
              AND t.tgname::pg_catalog.text COLLATE pg_catalog."C"
                  OPERATOR(pg_catalog.=) pg_catalog.concat('zz_arbiter_pool_', p.pool)
              AND s.nspname OPERATOR(pg_catalog.=) 'arbiter'
              AND f.proname OPERATOR(pg_catalog.=) 'guard_pool'
              AND (t.tgenabled OPERATOR(pg_catalog.=) 'O' OR t.tgenabled OPERATOR(pg_catalog.=) 'A'))
)sql",
                            .put_back_from = "pools"};

} // namespace arbiter::store::step
