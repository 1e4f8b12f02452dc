#include "pool/row.hpp"

#include <limits>

#include "base/failure.hpp"
#include "pg/clock.hpp"
#include "pg/row_lock.hpp"

namespace arbiter::pool {

namespace {

constexpr std::int64_t kMicrosecondsFrom1970To2000 = 946'684'800'000'000;
// As the server has 'infinity' and '-infinity'.
constexpr std::int64_t kAfterAll = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();
// Both ends stay within what a timestamp can be.
constexpr Duration kLongest = std::chrono::hours(24) * 365'000;

Row read(const pg::Rows &rows)
{
    Row row{.place = rows.datum(0, 0), .owner = {}, .token = {}};
    if (!rows.is_null(0, 1))
        row.owner = rows.text(0, 1);
    if (!rows.is_null(0, 2))
        row.token = rows.bigint(0, 2);
    return row;
}

} // namespace

std::optional<Row> lock(pg::Spi &spi, Pool &pool, std::string_view key)
{
    for (;;) {
        pg::Rows const found = spi.run(pool.find, {key}, pg::Sees::latest);
        if (found.empty())
            return std::nullopt;
        Row row = read(found);
        if (pg::lock_row(pool.definition.relation, row.place, pg::Waits::yes) == pg::RowLock::taken)
            return row;
    }
}

Moment::Moment() noexcept : now_(static_cast<std::int64_t>(pg::clock_timestamp())) {}

pg::Value Moment::later(Duration by) const noexcept
{
    return pg::Value::of(static_cast<Datum>(by > kLongest ? kAfterAll : now_ + by.count()));
}

pg::Value Moment::earlier(Duration by) const noexcept
{
    return pg::Value::of(static_cast<Datum>(by > kLongest ? kBeforeAll : now_ - by.count()));
}

pg::Value Moment::least_token() const noexcept
{
    return now_ + kMicrosecondsFrom1970To2000;
}

pg::Rows write(pg::Spi &spi, const Pool &pool, pg::Statement &statement,
               std::initializer_list<pg::Value> values)
{
    pg::Rows const written = spi.run(statement, values, pg::Sees::latest);
    if (written.count() != 1)
        throw Failure(
            sqlstate::kNotInPrerequisiteState,
            "a row of pool \"" + pool.name + "\" could not be written",
            "A trigger, a rule or row security of the table has kept the update from being made.");
    return written;
}

} // namespace arbiter::pool
