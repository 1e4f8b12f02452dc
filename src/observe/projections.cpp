#include "observe/projections.hpp"

#include "base/quote.hpp"
#include "observe/as_owner.hpp"
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
    AsOwner const owner(store);
    report(store, kFailures, "failures",
           " failed events hold their entities back, the oldest since ", findings);
    report(store, kDebts, "debts", " effects are owed by its reconciler, the oldest since ",
           findings);
    report_overdue(store, findings);
}

} // namespace arbiter::observe
