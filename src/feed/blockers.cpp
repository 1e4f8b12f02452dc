#include "feed/blockers.hpp"

#include "feed/horizon.hpp"
#include "pg/result_set.hpp"
#include "pg/spi.hpp"

namespace arbiter::feed {

namespace {

// Who has drawn holds RowExclusiveLock on the sequence, and an advisory lock that has the first
// position drawn in its tag (src/pg/sequence.cpp; -21735 is its class, as an int2). A prepared
// transaction has no process, but still the lock on its number.
constexpr store::Query kBlockers{
    "WITH l AS MATERIALIZED (SELECT * FROM pg_catalog.pg_locks WHERE granted), "
    "holder AS (SELECT l.virtualtransaction, l.pid FROM l "
    "WHERE l.locktype OPERATOR(pg_catalog.=) 'relation' "
    "AND l.relation OPERATOR(pg_catalog.=) $1::pg_catalog.oid "
    "AND l.mode OPERATOR(pg_catalog.=) 'RowExclusiveLock' AND l.database OPERATOR(pg_catalog.=) "
    "(SELECT d.oid FROM pg_catalog.pg_database AS d "
    "WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())), "
    "blocker AS (SELECT h.virtualtransaction, h.pid, "
    "(SELECT (l.classid::pg_catalog.int8 OPERATOR(pg_catalog.<<) 32) "
    "OPERATOR(pg_catalog.|) l.objid::pg_catalog.int8 FROM l "
    "WHERE l.virtualtransaction OPERATOR(pg_catalog.=) h.virtualtransaction "
    "AND l.locktype OPERATOR(pg_catalog.=) 'advisory' "
    "AND l.database OPERATOR(pg_catalog.=) $1::pg_catalog.oid "
    "AND l.objsubid OPERATOR(pg_catalog.=) -21735) AS first_position FROM holder AS h) "
    "SELECT b.pid, p.gid, COALESCE(a.xact_start, p.prepared), b.first_position, a.query "
    "FROM blocker AS b "
    "LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid OPERATOR(pg_catalog.=) b.pid "
    "LEFT JOIN LATERAL (SELECT x.gid, x.prepared FROM pg_catalog.pg_prepared_xacts AS x, l "
    "WHERE b.pid IS NULL "
    "AND l.virtualtransaction OPERATOR(pg_catalog.=) b.virtualtransaction "
    "AND l.locktype OPERATOR(pg_catalog.=) 'transactionid' "
    "AND l.transactionid OPERATOR(pg_catalog.=) x.transaction LIMIT 1) AS p ON true "
    "WHERE b.first_position IS NULL OR b.first_position OPERATOR(pg_catalog.<=) $2 "
    "ORDER BY b.first_position NULLS FIRST, b.pid",
    pg::Type::bigint, pg::Type::bigint};

} // namespace

void add_blockers(store::Store &store, pg::ResultSet &blockers)
{
    std::int64_t const next = horizon(store, 0) + 1;
    blockers.add_query(store.statement(kBlockers),
                       {static_cast<std::int64_t>(store.position_sequence), next});
}

} // namespace arbiter::feed
