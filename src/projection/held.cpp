#include "projection/held.hpp"

#include "projection/failure.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kHeldBack{
    "SELECT f.entity, COALESCE(o.revision, -1), COALESCE(f.next_attempt_at "
    "OPERATOR(pg_catalog.<=) pg_catalog.clock_timestamp(), true) "
    "FROM {store}.failed_events AS f LEFT JOIN {store}.offsets AS o "
    "ON o.projection OPERATOR(pg_catalog.=) f.projection "
    "AND o.entity OPERATOR(pg_catalog.=) f.entity "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.passed_at IS NULL "
    "ORDER BY f.next_attempt_at NULLS FIRST, f.entity",
    pg::Type::text};

constexpr store::Query kOwe{
    "UPDATE {store}.failed_events AS f SET passed_at = pg_catalog.clock_timestamp(), "
    "next_attempt_at = NULL WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.revision OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::text, pg::Type::bigint};

constexpr store::Query kLetGo{
    "DELETE FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.passed_at IS NULL",
    pg::Type::text, pg::Type::text};

} // namespace

std::vector<Held> held_back(store::Store &store, std::string_view projection)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kHeldBack), {projection}, pg::Sees::fresh);
    std::vector<Held> held;
    held.reserve(rows.count());
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        held.push_back({std::string(rows.text(row, 0)), rows.bigint(row, 1), rows.boolean(row, 2)});
    return held;
}

std::int64_t hold_back(store::Store &store, const Place &place, std::int64_t revision,
                       std::string_view error)
{
    return record_attempt(store, place, revision - 1,
                          {.revision = revision, .error = error, .event = pg::Value::null()})
        .attempts;
}

void owe(store::Store &store, const Place &place, std::int64_t revision)
{
    pg::Spi spi;
    spi.run(store.statement(kOwe), {place.projection, place.entity, revision}, pg::Sees::fresh);
}

void let_go(store::Store &store, const Place &place)
{
    pg::Spi spi;
    spi.run(store.statement(kLetGo), {place.projection, place.entity}, pg::Sees::fresh);
}

} // namespace arbiter::projection
