#include "sweep/rows.hpp"

#include "base/quote.hpp"
#include "pg/column.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"

namespace arbiter::sweep {

namespace {

constexpr std::size_t kLongestRestKey = 512;

// The rows, up to the condition on the key. $1 is the sweep, $2 the moment. The predicate names
// columns alone, so nothing of ours is in its reach.
std::string due(const store::Store &store, const Definition &definition)
{
    std::string const key = "arbiter_due." + quote_identifier(definition.key);
    return "SELECT " + key + "::pg_catalog.text AS arbiter_key FROM (SELECT * FROM ONLY " +
           definition.relation + " WHERE " + definition.predicate + ") AS arbiter_due WHERE " +
           key + " IS NOT NULL AND NOT EXISTS (SELECT FROM " + quote_identifier(store.name) +
           ".sweep_rests AS r WHERE r.sweep OPERATOR(pg_catalog.=) $1 AND r.key "
           "OPERATOR(pg_catalog.=) pg_catalog.left(" +
           key + "::pg_catalog.text, " + std::to_string(kLongestRestKey) +
           ") AND r.next_attempt_at OPERATOR(pg_catalog.>) $2)";
}

constexpr const char *kLock = " FOR NO KEY UPDATE OF arbiter_due SKIP LOCKED";

pg::Value moment(Time time)
{
    return pg::Value::of(static_cast<Datum>(time));
}

} // namespace

std::vector<std::string> find_due(store::Store &store, std::string_view sweep,
                                  const Definition &definition, Time began, std::int64_t max_count)
{
    pg::PortableSettings const portable;
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(due(store, definition) + " ORDER BY " + definition.order_by + " LIMIT $3" + kLock,
                {pg::Type::text, pg::Type::timestamptz, pg::Type::bigint},
                {sweep, moment(began), max_count}, pg::Sees::fresh);
    std::vector<std::string> keys;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        keys.emplace_back(rows.text(row, 0));
    return keys;
}

bool lock_if_due(store::Store &store, std::string_view sweep, const Definition &definition,
                 Time began, std::string_view key)
{
    pg::PortableSettings const portable;
    auto const facts = pg::describe_column(definition.table, definition.key);
    pg::Spi spi;
    return !spi.run(due(store, definition) + " AND arbiter_due." +
                        quote_identifier(definition.key) + " " + facts.equals +
                        " $3::" + facts.type_name + " LIMIT 1" + kLock,
                    {pg::Type::text, pg::Type::timestamptz, pg::Type::text},
                    {sweep, moment(began), key}, pg::Sees::fresh)
                .empty();
}

} // namespace arbiter::sweep
