#include "feed/read.hpp"

#include <string>

#include "base/failure.hpp"
#include "feed/horizon.hpp"
#include "feed/walk.hpp"
#include "pg/result_set.hpp"
#include "pg/sequence.hpp"
#include "pg/spi.hpp"

namespace arbiter::feed {

namespace {

// The category is what stands before the first hyphen, written so that a user's index on the same
// expression serves it. Filters that are not given are null and vanish when the plan is made, which
// is therefore made for each call.
constexpr store::Query kFiltered =
    store::Query{
        "SELECT e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at "
        "FROM ONLY {store}.events AS e WHERE e.position OPERATOR(pg_catalog.>) $1 "
        "AND e.position OPERATOR(pg_catalog.<=) $2 "
        "AND ($4 IS NULL OR e.type OPERATOR(pg_catalog.=) ANY ($4)) "
        "AND ($5 IS NULL OR pg_catalog.split_part(e.stream, '-', 1) OPERATOR(pg_catalog.=) $5) "
        "ORDER BY e.position LIMIT $3",
        pg::Type::bigint,
        pg::Type::bigint,
        pg::Type::bigint,
        pg::Type::text_array,
        pg::Type::text}
        .planned_for_each_call();

void read_all(store::Store &store, std::int64_t after, std::int64_t max_count,
              pg::ResultSet &events)
{
    View view(store, after);
    Walk walk(view, after);
    std::int64_t count = 0;
    while (count < max_count && walk.next()) {
        walk.add_to(events);
        ++count;
    }
    if (count == 0)
        require_handed_out(view, after, pg::read_sequence(store.position_sequence).last);
    walk.durability().flush();
}

} // namespace

void check_cursor(std::int64_t after)
{
    if (after < 0 || after == kNone)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "\"after\" must be a position or 0, not " + std::to_string(after));
}

void read(store::Store &store, std::int64_t after, std::int64_t max_count, const Filter &filter,
          pg::ResultSet &events)
{
    check_cursor(after);
    if (max_count < 0)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "argument \"max_count\" must not be negative",
                      "It is " + std::to_string(max_count) + ".");
    bool const is_filtered = !filter.types.is_null() || filter.category;
    if (!is_filtered && pg::may_select(store.events) && !pg::has_row_security(store.events))
        return read_all(store, after, max_count, events);
    events.add_query(store.statement(kFiltered),
                     {after, horizon(store, after), max_count, filter.types, filter.category});
}

bool has_next(store::Store &store, std::int64_t after)
{
    check_cursor(after);
    View view(store, after);
    Walk walk(view, after);
    return walk.next();
}

} // namespace arbiter::feed
