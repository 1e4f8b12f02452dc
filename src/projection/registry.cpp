#include "projection/registry.hpp"

#include <array>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/dirty_lookup.hpp"
#include "projection/guard.hpp"
#include "projection/tables.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kInsert{
    "INSERT INTO {store}.projections (projection, kind, strict, max_attempts, handler, reconciler, "
    "reconcile_every, types, category) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT pg_catalog.array_agg(DISTINCT t.type COLLATE "
    "pg_catalog.\"C\") FROM pg_catalog.unnest($8) AS t (type)), $9) "
    "ON CONFLICT (projection) DO NOTHING",
    pg::Type::text,
    pg::Type::text,
    pg::Type::boolean,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text,
    pg::Type::interval,
    pg::Type::text_array,
    pg::Type::text};

// The same columns twice, as text: as registered, and as given now.
constexpr store::Query kCompare{
    "SELECT p.kind, p.strict::pg_catalog.text, p.max_attempts::pg_catalog.text, p.handler, "
    "p.reconciler, p.reconcile_every::pg_catalog.text, p.types::pg_catalog.text, p.category "
    "FROM {store}.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) $1 "
    "UNION ALL SELECT $2, $3::pg_catalog.text, $4::pg_catalog.text, $5, $6, "
    "$7::pg_catalog.text, (SELECT pg_catalog.array_agg(DISTINCT t.type COLLATE pg_catalog.\"C\") "
    "FROM pg_catalog.unnest($8) AS t (type))::pg_catalog.text, $9",
    pg::Type::text,
    pg::Type::text,
    pg::Type::boolean,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text,
    pg::Type::interval,
    pg::Type::text_array,
    pg::Type::text};
constexpr std::array kCompared{"kind",       "strict",          "max_attempts", "handler",
                               "reconciler", "reconcile_every", "types",        "category"};

constexpr store::Query kLockOffsets{"LOCK TABLE {store}.offsets IN SHARE ROW EXCLUSIVE MODE"};
constexpr store::Query kHasOffsets{"SELECT FROM {store}.offsets AS o "
                                   "WHERE o.projection OPERATOR(pg_catalog.=) $1 LIMIT 1",
                                   pg::Type::text};
constexpr store::Query kDeleteFailedEvents{"DELETE FROM {store}.failed_events AS f "
                                           "WHERE f.projection OPERATOR(pg_catalog.=) $1",
                                           pg::Type::text};
constexpr store::Query kDeleteOffsets{
    "DELETE FROM {store}.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};
constexpr store::Query kDelete{
    "DELETE FROM {store}.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};

std::string shown(const pg::Rows &rows, std::uint64_t row, int column)
{
    return rows.is_null(row, column) ? "null" : quote_literal(std::string(rows.text(row, column)));
}

void require_identical(const Definition &definition, const pg::Rows &rows)
{
    if (rows.count() != 2)
        throw Failure(sqlstate::kSerializationFailure,
                      "could not serialize access due to a concurrent definition", {},
                      "The transaction might succeed if retried.");
    for (int column = 0; column < static_cast<int>(kCompared.size()); ++column) {
        std::string const registered = shown(rows, 0, column);
        if (registered != shown(rows, 1, column))
            throw Failure(sqlstate::kDuplicateObject,
                          "projection \"" + std::string(definition.name) +
                              "\" exists with another definition",
                          std::string("It was created with ") +
                              kCompared[static_cast<std::size_t>(column)] + " => " + registered +
                              ", now it is " + shown(rows, 1, column) + ".",
                          "Drop it first, or give the new one another name.");
    }
}

} // namespace

void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  "projection \"" + std::string(name) + "\" does not exist in store \"" +
                      store.name + "\"",
                  {}, "Create it with arbiter.create_projection.");
}

Projection find(store::Store &store, std::string_view name)
{
    check_name(name);
    auto const [table, key] = store.table(kProjections);
    Projection projection;
    pg::IndexKey const wanted(name);
    bool const found =
        pg::dirty_lookup(table, key, {&wanted, 1}, pg::Pick::first, [&](const pg::FoundRow &row) {
            projection.strict = row.boolean(kStrict);
            projection.reconciled = !row.is_null(kReconciler);
        });
    if (!found)
        refuse_unknown(store, name);
    return projection;
}

Made create(store::Store &store, const Definition &definition, const pg::Value &types,
            const pg::Value &reconcile_every)
{
    store::serialize_definition(store.name);
    std::array<pg::Value, 9> const values{
        definition.name,    definition.kind,       definition.strict, definition.max_attempts,
        definition.handler, definition.reconciler, reconcile_every,   types,
        definition.category};
    pg::Spi spi;
    if (spi.run(store.statement(kInsert), values, pg::Sees::fresh).count() == 1)
        return Made::created;
    require_identical(definition, spi.run(store.statement(kCompare), values, pg::Sees::fresh));
    return Made::existed;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    store::serialize_definition(store.name);
    pg::Spi spi;
    // Whoever is about to advance waits here for us, and then finds no projection.
    spi.run(store.statement(kLockOffsets), {}, pg::Sees::fresh);
    find(store, name);
    if (!force && !spi.run(store.statement(kHasOffsets), {name}, pg::Sees::fresh).empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "projection \"" + std::string(name) + "\" has offsets",
                      "Without them, all that it has applied would be applied again.",
                      "Pass force => true if that is meant.");
    OffsetsMayChange permit;
    spi.run(store.statement(kDeleteFailedEvents), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteOffsets), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDelete), {name}, pg::Sees::fresh);
}

} // namespace arbiter::projection
