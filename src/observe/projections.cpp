#include "observe/projections.hpp"

#include "base/quote.hpp"
#include "pg/spi.hpp"
#include "store/format.hpp"

namespace arbiter::observe {

namespace {

// Views of the store: of both, the projection, how many rows, since when.
constexpr store::Query kFailures{
    "SELECT f.projection, pg_catalog.count(*), pg_catalog.min(f.first_failed_at)::pg_catalog.text "
    "FROM {store}.failures AS f GROUP BY f.projection ORDER BY f.projection"};
constexpr store::Query kDebts{
    "SELECT d.projection, pg_catalog.count(*), pg_catalog.min(d.passed_at)::pg_catalog.text "
    "FROM {store}.debts AS d GROUP BY d.projection ORDER BY d.projection"};

constexpr store::Query kOverdue{
    "SELECT s.projection, COALESCE(p.reconciler OPERATOR(pg_catalog.=) 'external', false), "
    "pg_catalog.date_trunc('second', s.reconcile_due_at)::pg_catalog.text "
    "FROM {store}.projection_status AS s JOIN {store}.projections AS p "
    "ON p.projection OPERATOR(pg_catalog.=) s.projection "
    "WHERE s.reconcile_overdue ORDER BY s.projection"};

// DROP FUNCTION does not ask the registry, nor does DROP EXTENSION … CASCADE, which takes every
// function along that has an event for an argument.
// Asked of the catalog, where nobody needs the right to use the handler's schema.
constexpr store::Query kHandlerGone{
    "SELECT p.projection, p.handler FROM {store}.projections AS p "
    "WHERE p.handler IS NOT NULL AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc AS f "
    "JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) f.pronamespace "
    "WHERE f.pronargs OPERATOR(pg_catalog.=) 1 AND pg_catalog.starts_with(p.handler, "
    "pg_catalog.format('%I.%I(', n.nspname, f.proname))) ORDER BY p.projection"};

// An event has waited for a minute, and the cursor has not moved for as long: nobody runs it, or it
// cannot be run. What is idle has no event that waits.
constexpr store::Query kStandsStill{
    "SELECT c.projection, p.handler IS NOT NULL, "
    "pg_catalog.date_trunc('second', c.moved_at)::pg_catalog.text "
    "FROM {store}.projection_cursors AS c JOIN {store}.projections AS p "
    "ON p.projection OPERATOR(pg_catalog.=) c.projection "
    "WHERE c.moved_at OPERATOR(pg_catalog.<) "
    "(pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '1 minute'::pg_catalog.interval) "
    "AND (SELECT e.recorded_at FROM ONLY {store}.events AS e "
    "WHERE e.\"position\" OPERATOR(pg_catalog.>) c.\"position\" "
    "ORDER BY e.\"position\" LIMIT 1) OPERATOR(pg_catalog.<) "
    "(pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '1 minute'::pg_catalog.interval) "
    "ORDER BY c.projection"};

void report_missing_handlers(store::Store &store, std::vector<Finding> &findings)
{
    enum { kProjection, kHandler };
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kHandlerGone), {}, pg::Sees::caller);
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        findings.push_back({Severity::error,
                            "projection " + std::string(rows.text(row, kProjection)),
                            "its handler " + std::string(rows.text(row, kHandler)) + " is gone",
                            "Create that function again; the projection goes on where it stood."});
}

void report_standing_still(store::Store &store, std::vector<Finding> &findings)
{
    enum { kProjection, kIsRunHere, kSince };
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kStandsStill), {}, pg::Sees::caller);
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        findings.push_back({Severity::warning,
                            "projection " + std::string(rows.text(row, kProjection)),
                            "events wait for it, and it has not moved since " +
                                std::string(rows.text(row, kSince)),
                            rows.boolean(row, kIsRunHere)
                                ? "CALL arbiter.run_projections(" + quote_literal(store.name) + ")"
                                : "Start its workers; they call arbiter.next_events."});
}

void report_overdue(store::Store &store, std::vector<Finding> &findings)
{
    enum { kProjection, kIsOutside, kSince };
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kOverdue), {}, pg::Sees::caller);
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        std::string const name(rows.text(row, kProjection));
        findings.push_back(
            {Severity::warning, "projection " + name,
             "its reconciler is overdue since " + std::string(rows.text(row, kSince)),
             rows.boolean(row, kIsOutside)
                 ? "Start the outside process; it calls arbiter.record_reconciliation."
                 : "SELECT * FROM arbiter.reconcile(" + quote_literal(store.name) + ", " +
                       quote_literal(name) + ")"});
    }
}

void report(store::Store &store, const store::Query &query, const char *view, const char *problem,
            std::vector<Finding> &findings)
{
    enum { kProjection, kCount, kSince };
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(query), {}, pg::Sees::caller);
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        std::string const name(rows.text(row, kProjection));
        findings.push_back({Severity::warning, "projection " + name,
                            std::to_string(rows.bigint(row, kCount)) + problem +
                                std::string(rows.text(row, kSince)),
                            "SELECT * FROM " + quote_identifier(store.name) + "." + view +
                                " WHERE projection = " + quote_literal(name)});
    }
}

} // namespace

void examine_projections(store::Store &store, std::vector<Finding> &findings)
{
    if (store.format < store::current_format())
        return;
    report(store, kFailures, "failures",
           " failed events hold their entities back, the oldest since ", findings);
    report(store, kDebts, "debts", " effects are owed by its reconciler, the oldest since ",
           findings);
    report_overdue(store, findings);
    report_missing_handlers(store, findings);
    report_standing_still(store, findings);
}

} // namespace arbiter::observe
