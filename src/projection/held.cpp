#include "projection/held.hpp"

#include "projection/failure.hpp"

namespace arbiter::projection {

namespace {

#define SELECT_HELD                                                                                \
    "SELECT f.entity, COALESCE(o.revision, -1), COALESCE(f.next_attempt_at "                       \
    "OPERATOR(pg_catalog.<=) pg_catalog.clock_timestamp(), true), f.error "                        \
    "FROM {store}.failed_events AS f LEFT JOIN {store}.offsets AS o "                              \
    "ON o.projection OPERATOR(pg_catalog.=) f.projection "                                         \
    "AND o.entity OPERATOR(pg_catalog.=) f.entity "                                                \
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.passed_at IS NULL "
constexpr store::Query kAll{SELECT_HELD "ORDER BY f.next_attempt_at NULLS FIRST, f.entity",
                            pg::Type::text};
constexpr store::Query kOne{SELECT_HELD "AND f.entity OPERATOR(pg_catalog.=) $2", pg::Type::text,
                            pg::Type::text};
#undef SELECT_HELD

#define UPDATE_EVENT(columns)                                                                      \
    "UPDATE {store}.failed_events AS f SET " columns                                               \
    " WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "        \
    "AND f.revision OPERATOR(pg_catalog.=) $3"
constexpr store::Query kTell{UPDATE_EVENT("error = $4") " RETURNING f.attempts", pg::Type::text,
                             pg::Type::text, pg::Type::bigint, pg::Type::text};
constexpr store::Query kOwe{
    UPDATE_EVENT("passed_at = pg_catalog.clock_timestamp(), next_attempt_at = NULL"),
    pg::Type::text, pg::Type::text, pg::Type::bigint};
#undef UPDATE_EVENT

constexpr store::Query kHoldUntried{
    "INSERT INTO {store}.failed_events "
    "(projection, entity, revision, attempts, error, next_attempt_at) "
    "VALUES ($1, $2, $3, 0, $4, pg_catalog.clock_timestamp())",
    pg::Type::text, pg::Type::text, pg::Type::bigint, pg::Type::text};
constexpr store::Query kKeepDue{
    "UPDATE {store}.failed_events AS f "
    "SET error = $3, next_attempt_at = pg_catalog.clock_timestamp() "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "
    "AND f.passed_at IS NULL",
    pg::Type::text, pg::Type::text, pg::Type::text};
constexpr store::Query kLetGo{
    "DELETE FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.passed_at IS NULL",
    pg::Type::text, pg::Type::text};

std::vector<Held> held_of(const pg::Rows &rows)
{
    std::vector<Held> held;
    held.reserve(rows.count());
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        held.push_back({std::string(rows.text(row, 0)), rows.bigint(row, 1), rows.boolean(row, 2),
                        rows.text(row, 3) == kDidNotEnd});
    return held;
}

} // namespace

std::vector<Held> held_back(store::Store &store, std::string_view projection)
{
    pg::Spi spi;
    return held_of(spi.run(store.statement(kAll), {projection}, pg::Sees::fresh));
}

std::optional<Held> find_held(store::Store &store, const Place &place)
{
    pg::Spi spi;
    auto held =
        held_of(spi.run(store.statement(kOne), {place.projection, place.entity}, pg::Sees::fresh));
    return held.empty() ? std::nullopt : std::optional(std::move(held.front()));
}

std::int64_t hold_back(store::Store &store, const Place &place, std::int64_t revision,
                       std::string_view error)
{
    return record_attempt(store, place, revision - 1,
                          {.revision = revision, .error = error, .event = pg::Value::null()})
        .attempts;
}

std::int64_t tell(store::Store &store, const Place &place, std::int64_t revision,
                  std::string_view error)
{
    pg::Spi spi;
    return spi
        .run(store.statement(kTell), {place.projection, place.entity, revision, error},
             pg::Sees::fresh)
        .bigint(0, 0);
}

void hold_untried(store::Store &store, const Place &place, std::int64_t revision)
{
    pg::Spi spi;
    spi.run(store.statement(kHoldUntried), {place.projection, place.entity, revision, kDidNotEnd},
            pg::Sees::fresh);
}

void owe(store::Store &store, const Place &place, std::int64_t revision)
{
    pg::Spi spi;
    spi.run(store.statement(kOwe), {place.projection, place.entity, revision}, pg::Sees::fresh);
}

void keep_due(store::Store &store, const Place &place, std::string_view why)
{
    pg::Spi spi;
    spi.run(store.statement(kKeepDue), {place.projection, place.entity, why}, pg::Sees::fresh);
}

void let_go(store::Store &store, const Place &place)
{
    pg::Spi spi;
    spi.run(store.statement(kLetGo), {place.projection, place.entity}, pg::Sees::fresh);
}

} // namespace arbiter::projection
