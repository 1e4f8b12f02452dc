#include "runner/wanted.hpp"

#include <utility>

#include "base/quote.hpp"
#include "feed/horizon.hpp"
#include "pg/catalog.hpp"
#include "pg/spi.hpp"
#include "store/format.hpp"
#include "store/store.hpp"

namespace arbiter::runner {

namespace {

constexpr const char *kOwnStores =
    "SELECT n.nspname::pg_catalog.text FROM pg_catalog.pg_class AS c "
    "JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace "
    "WHERE c.relname OPERATOR(pg_catalog.=) 'arbiter_store' "
    "AND c.relkind OPERATOR(pg_catalog.=) 'r' AND c.relpersistence OPERATOR(pg_catalog.=) 'p' "
    "AND c.relowner OPERATOR(pg_catalog.=) CURRENT_USER::pg_catalog.regrole::pg_catalog.oid "
    "AND EXISTS (SELECT FROM pg_catalog.pg_extension AS x "
    "WHERE x.extname OPERATOR(pg_catalog.=) 'arbiter') ORDER BY n.nspname";

// The last event by the index: whether there is one behind a cursor could be asked of all of them.
constexpr store::Query kBehind{
    "SELECT COALESCE(pg_catalog.bool_or(c.\"position\" OPERATOR(pg_catalog.<) "
    "(SELECT e.\"position\" FROM {store}.events AS e ORDER BY e.\"position\" DESC LIMIT 1) "
    "OR EXISTS (SELECT FROM {store}.failed_events AS f "
    "WHERE f.projection OPERATOR(pg_catalog.=) p.projection AND f.passed_at IS NULL "
    "AND COALESCE(f.next_attempt_at OPERATOR(pg_catalog.<=) pg_catalog.clock_timestamp(), true))), "
    "false), COALESCE(pg_catalog.sum(c.\"position\"), 0)::pg_catalog.int8 "
    "FROM {store}.projections AS p JOIN {store}.projection_cursors AS c "
    "ON c.projection OPERATOR(pg_catalog.=) p.projection "
    "WHERE p.kind OPERATOR(pg_catalog.=) 'transactional' "
    "OR p.kind OPERATOR(pg_catalog.=) 'async'"};

constexpr store::Query kToReconcile{
    "SELECT p.projection FROM {store}.projections AS p LEFT JOIN {store}.reconciliations AS r "
    "ON r.projection OPERATOR(pg_catalog.=) p.projection "
    "WHERE p.reconciler OPERATOR(pg_catalog.<>) 'external' "
    "AND COALESCE(r.reconciled_at, p.created_at) OPERATOR(pg_catalog.+) p.reconcile_every "
    "OPERATOR(pg_catalog.<=) pg_catalog.clock_timestamp() ORDER BY p.projection"};

constexpr store::Query kSweeps{"SELECT s.sweep FROM {store}.sweeps AS s "
                               "WHERE s.command IS NOT NULL ORDER BY s.sweep"};

constexpr store::Query kSettled{
    "SELECT COALESCE(pg_catalog.max(f.settled), 0) FROM {store}.feed AS f"};

// Of one call; the next one follows after a nap.
constexpr const char *kRowsOfASweep = "10000";

std::vector<std::string> names(pg::Spi &spi, store::Store &store, const store::Query &query)
{
    pg::Rows const rows = spi.run(store.statement(query), {}, pg::Sees::caller);
    std::vector<std::string> found;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        found.emplace_back(rows.text(row, 0));
    return found;
}

} // namespace

std::vector<std::string> own_stores()
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(kOwnStores, pg::Sees::caller);
    std::vector<std::string> found;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        found.emplace_back(rows.text(row, 0));
    return found;
}

std::vector<Task> wanted(const std::string &name, Duration nap)
{
    auto const store = store::find(pg::find_schema(name));
    if (!store || !store->armed || store->format != store::current_format())
        return {};
    std::string const literal = quote_literal(name);
    std::vector<Task> tasks;
    pg::Spi spi;
    pg::Rows const behind = spi.run(store->statement(kBehind), {}, pg::Sees::caller);
    if (behind.boolean(0, 0))
        tasks.push_back({.statement = "CALL arbiter.run_projections(" + literal + ")",
                         .progress = behind.bigint(0, 1)});
    for (const std::string &projection : names(spi, *store, kToReconcile))
        tasks.push_back({.statement = "SELECT arbiter.reconcile(" + literal + ", " +
                                      quote_literal(projection) + ")"});
    for (const std::string &sweep : names(spi, *store, kSweeps))
        tasks.push_back({.statement = "CALL arbiter.run_sweep(" + literal + ", " +
                                      quote_literal(sweep) + ", " + kRowsOfASweep + ")",
                         .every = nap});
    std::int64_t const settled =
        spi.run(store->statement(kSettled), {}, pg::Sees::caller).bigint(0, 0);
    if (feed::horizon(*store, settled) > settled)
        tasks.push_back({.statement = "CALL arbiter.settle_feed(" + literal + ")",
                         .progress = settled,
                         .every = nap});
    return tasks;
}

} // namespace arbiter::runner
