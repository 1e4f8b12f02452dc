#include "projection/debt.hpp"

#include <optional>

namespace arbiter::projection {

namespace {

constexpr store::Query kDebts{
    "SELECT f.entity, f.revision FROM {store}.failed_events AS f "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.passed_at IS NOT NULL "
    "ORDER BY f.passed_at, f.entity, f.revision LIMIT $2",
    pg::Type::text, pg::Type::bigint};
constexpr store::Query kRecord{
    "INSERT INTO {store}.failed_events AS f "
    "(projection, entity, revision, attempts, error, event, passed_at) "
    "VALUES ($1, $2, $3, 0, $4, $5, pg_catalog.clock_timestamp()) "
    "ON CONFLICT (projection, entity, revision) DO UPDATE SET "
    "passed_at = COALESCE(f.passed_at, EXCLUDED.passed_at), next_attempt_at = NULL, "
    "event = COALESCE(EXCLUDED.event, f.event)",
    pg::Type::text,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::jsonb};
constexpr store::Query kPaid{
    "DELETE FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.revision OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::text, pg::Type::bigint};
constexpr store::Query kNotPaid{
    "UPDATE {store}.failed_events AS f SET attempts = f.attempts OPERATOR(pg_catalog.+) 1, "
    "error = $4, last_failed_at = pg_catalog.clock_timestamp() "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "
    "AND f.revision OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::text, pg::Type::bigint, pg::Type::text};

std::optional<std::string> why_not(Turn &turn, Batch &batch, const Debt &debt)
{
    auto const events = read_event(turn.spi(), turn.store(), debt.stream, debt.revision);
    if (events.empty())
        return "the event is not in the log";
    if (!events.front().is_shown)
        return "the event was redacted";
    return batch.offer(events.front());
}

} // namespace

std::vector<Debt> debts(store::Store &store, std::string_view projection, std::int64_t max_count)
{
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kDebts), {projection, max_count}, pg::Sees::fresh);
    std::vector<Debt> debts;
    debts.reserve(rows.count());
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        debts.push_back({std::string(rows.text(row, 0)), rows.bigint(row, 1)});
    return debts;
}

void record_debt(store::Store &store, const Place &place, std::int64_t revision,
                 std::string_view error, const pg::Value &detail)
{
    pg::Spi spi;
    spi.run(store.statement(kRecord), {place.projection, place.entity, revision, error, detail},
            pg::Sees::fresh);
}

bool pay(Turn &turn, Batch &batch, const Debt &debt)
{
    auto const reason = why_not(turn, batch, debt);
    std::string_view const projection = turn.projection().name;
    std::string_view const stream = debt.stream;
    pg::Spi spi;
    if (reason)
        spi.run(turn.store().statement(kNotPaid),
                {projection, stream, debt.revision, std::string_view(*reason)}, pg::Sees::fresh);
    else
        spi.run(turn.store().statement(kPaid), {projection, stream, debt.revision},
                pg::Sees::fresh);
    return !reason;
}

} // namespace arbiter::projection
