#include "log/read.hpp"

#include <limits>
#include <string>

#include "base/failure.hpp"
#include "log/expectation.hpp"
#include "log/stream_name.hpp"
#include "pg/result_set.hpp"
#include "pg/spi.hpp"

namespace arbiter::log {

namespace {

#define EVENTS_OF_STREAM                                                                           \
    "SELECT e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at "    \
    "FROM ONLY {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "

constexpr store::Query kForwards{
    EVENTS_OF_STREAM "AND e.revision OPERATOR(pg_catalog.>=) $2 ORDER BY e.revision LIMIT $3",
    pg::Type::text, pg::Type::bigint, pg::Type::bigint};
constexpr store::Query kBackwards{
    EVENTS_OF_STREAM "AND e.revision OPERATOR(pg_catalog.<=) $2 ORDER BY e.revision DESC LIMIT $3",
    pg::Type::text, pg::Type::bigint, pg::Type::bigint};
constexpr store::Query kLast{EVENTS_OF_STREAM "ORDER BY e.revision DESC LIMIT 1", pg::Type::text};
constexpr store::Query kLastOfType{
    EVENTS_OF_STREAM "AND e.type OPERATOR(pg_catalog.=) $2 ORDER BY e.revision DESC LIMIT 1",
    pg::Type::text, pg::Type::text};
constexpr store::Query kRevision{
    "SELECT e.revision FROM ONLY {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "
    "ORDER BY e.revision DESC LIMIT 1",
    pg::Type::text};

#undef EVENTS_OF_STREAM

void refuse_negative(std::optional<std::int64_t> value, const char *name)
{
    if (value && *value < 0)
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::string("argument \"") + name + "\" must not be negative",
                      "It is " + std::to_string(*value) + ".");
}

} // namespace

void read_stream(store::Store &store, std::string_view stream, const Range &range,
                 pg::ResultSet &events)
{
    check_stream_name(stream);
    refuse_negative(range.from, "from_revision");
    refuse_negative(range.max_count, "max_count");
    std::int64_t const end = range.backwards ? std::numeric_limits<std::int64_t>::max() : 0;
    events.add_query(store.statement(range.backwards ? kBackwards : kForwards),
                     {stream, range.from.value_or(end), range.max_count});
}

void last_event(store::Store &store, std::string_view stream, std::optional<std::string_view> type,
                pg::ResultSet &events)
{
    check_stream_name(stream);
    if (type)
        events.add_query(store.statement(kLastOfType), {stream, *type});
    else
        events.add_query(store.statement(kLast), {stream});
}

std::int64_t stream_revision(store::Store &store, std::string_view stream)
{
    check_stream_name(stream);
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kRevision), {stream}, pg::Sees::caller);
    return rows.empty() ? kNoRevision : rows.bigint(0, 0);
}

} // namespace arbiter::log
