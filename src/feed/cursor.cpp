#include "feed/cursor.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/sequence.hpp"
#include "pg/spi.hpp"

namespace arbiter::feed {

namespace {

constexpr store::Query kSave{
    "INSERT INTO {store}.cursors AS c (consumer, position) VALUES ($1, $2) "
    "ON CONFLICT (consumer) DO UPDATE SET position = excluded.position, "
    "saved_at = pg_catalog.clock_timestamp() "
    "WHERE c.position OPERATOR(pg_catalog.<) excluded.position",
    pg::Type::text, pg::Type::bigint};
constexpr store::Query kRead{"SELECT c.position FROM {store}.cursors AS c "
                             "WHERE c.consumer OPERATOR(pg_catalog.=) $1",
                             pg::Type::text};

void check_consumer(std::string_view consumer)
{
    if (consumer.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "consumer must not be empty");
}

std::int64_t read(store::Store &store, std::string_view consumer, pg::Sees sees)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kRead), {consumer}, sees);
    return rows.empty() ? 0 : rows.bigint(0, 0);
}

} // namespace

std::int64_t save_cursor(store::Store &store, std::string_view consumer, std::int64_t position)
{
    check_consumer(consumer);
    std::int64_t const handed_out = pg::read_sequence(store.position_sequence).last;
    if (position < 0 || position > handed_out)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "a cursor cannot stand at " + std::to_string(position),
                      "The last position handed out is " + std::to_string(handed_out) + ".",
                      "Save the position of an event that was read, or what arbiter.feed_horizon "
                      "said before it was read.");
    bool saved = false;
    {
        pg::Spi spi;
        saved = spi.run(store.statement(kSave), {consumer, position}, pg::Sees::fresh).count() > 0;
    }
    return saved ? position : read(store, consumer, pg::Sees::fresh);
}

std::int64_t cursor(store::Store &store, std::string_view consumer)
{
    check_consumer(consumer);
    return read(store, consumer, pg::Sees::caller);
}

void guard_cursor(std::string_view store, bool same_consumer, std::int64_t from, std::int64_t to)
{
    if (same_consumer && to >= from)
        return;
    throw Failure(sqlstate::kAppendOnly,
                  "a cursor of store \"" + std::string(store) + "\" cannot " +
                      (same_consumer
                           ? "move back from " + std::to_string(from) + " to " + std::to_string(to)
                           : "change its consumer"),
                  {}, "To read from the beginning, delete the cursor's row.");
}

} // namespace arbiter::feed
