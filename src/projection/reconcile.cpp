#include "projection/reconcile.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "pg/acting_role.hpp"
#include "projection/batch.hpp"
#include "projection/debt.hpp"
#include "projection/offset.hpp"
#include "projection/registry.hpp"
#include "projection/turn.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kReconciler{"SELECT p.reconciler FROM {store}.projections AS p "
                                   "WHERE p.projection OPERATOR(pg_catalog.=) $1",
                                   pg::Type::text};
constexpr store::Query kRecord{
    "INSERT INTO {store}.reconciliations (projection, checked, repaired, failed, detail) "
    "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (projection) DO UPDATE SET "
    "checked = EXCLUDED.checked, repaired = EXCLUDED.repaired, failed = EXCLUDED.failed, "
    "detail = EXCLUDED.detail, reconciled_at = EXCLUDED.reconciled_at",
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::bigint,
    pg::Type::bigint,
    pg::Type::jsonb};

std::string reconciler_of(store::Store &store, std::string_view projection)
{
    check_name(projection);
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kReconciler), {projection}, pg::Sees::fresh);
    if (rows.empty())
        refuse_unknown(store, projection);
    return rows.is_null(0, 0) ? std::string() : std::string(rows.text(0, 0));
}

[[noreturn]] void refuse(std::string_view projection, const char *what, const char *hint)
{
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "projection \"" + std::string(projection) + "\" " + what, {}, hint);
}

void record(store::Store &store, std::string_view projection, const Reconciled &reconciled,
            const pg::Value &detail)
{
    pg::Spi spi;
    spi.run(store.statement(kRecord),
            {projection, reconciled.checked, reconciled.repaired, reconciled.failed, detail},
            pg::Sees::fresh);
}

struct Missing {
    std::string_view entity;
    std::int64_t revision;
    pg::Value detail;
};

// What the reconciler names twice, by a join of its own say, is missing once.
std::vector<Missing> ask(pg::Spi &spi, const std::string &reconciler, std::string_view projection)
{
    pg::Rows const rows = spi.run("SELECT DISTINCT ON (r.entity, r.revision) r.entity, r.revision, "
                                  "r.detail FROM " +
                                      reconciler + "($1) AS r ORDER BY r.entity, r.revision",
                                  {pg::Type::text}, {projection}, pg::Sees::fresh);
    std::vector<Missing> missing;
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        if (rows.is_null(row, 0) || rows.is_null(row, 1))
            throw Failure(sqlstate::kNullValueNotAllowed,
                          "reconciler " + reconciler + " returned null for an entity or revision");
        check_revision(rows.bigint(row, 1));
        missing.push_back(
            {rows.text(row, 0), rows.bigint(row, 1),
             rows.is_null(row, 2) ? pg::Value::null() : pg::Value::of(rows.datum(row, 2))});
    }
    return missing;
}

} // namespace

Reconciled reconcile(store::Store &store, std::string_view projection)
{
    std::string const reconciler = reconciler_of(store, projection);
    if (reconciler.empty())
        refuse(projection, "has no reconciler", "Create it with one.");
    if (reconciler == kOutsideReconciler)
        refuse(projection, "is reconciled by an outside process",
               "Let it call arbiter.record_reconciliation.");
    Turn turn(store, projection, Patience::waits);
    turn.require_handler();
    Batch batch(store, turn.projection());
    Reconciled reconciled{};
    for (const Missing &missing : ask(turn.spi(), reconciler, projection)) {
        Place const place{projection, missing.entity};
        if (last_revision(store, place) < missing.revision)
            continue;
        ++reconciled.checked;
        record_debt(store, place, missing.revision, "missing, says the reconciler", missing.detail);
        ++(pay(turn, batch, {std::string(missing.entity), missing.revision}) ? reconciled.repaired
                                                                             : reconciled.failed);
    }
    record(store, projection, reconciled, pg::Value::null());
    return reconciled;
}

void record_reconciliation(store::Store &store, std::string_view projection,
                           const Reconciled &reconciled, const pg::Value &detail)
{
    if (reconciler_of(store, projection) != kOutsideReconciler)
        refuse(projection, "is not reconciled by an outside process",
               "Only a projection created with reconciler => 'external' is.");
    for (std::int64_t const count : {reconciled.checked, reconciled.repaired, reconciled.failed})
        if (count < 0)
            throw Failure(sqlstate::kInvalidParameterValue, "a count must not be negative",
                          "It is " + std::to_string(count) + ".");
    record(store, projection, reconciled, detail);
}

} // namespace arbiter::projection
