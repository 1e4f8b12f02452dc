#include "projection/source.hpp"

#include <utility>

#include "base/failure.hpp"
#include "feed/view.hpp"
#include "feed/walk.hpp"
#include "pg/catalog.hpp"
#include "pg/event_function.hpp"
#include "pg/snapshot.hpp"
#include "pg/text.hpp"
#include "projection/filter.hpp"

namespace arbiter::projection {

namespace {

// The category is what stands before the first hyphen, written so that a user's index on the same
// expression serves it. Filters that are not given are null and vanish when the plan is made, which
// is therefore made for each call.
#define SELECT_EVENTS_IF(is_shown)                                                                 \
    "SELECT e.position, e.stream, e.revision, "                                                    \
    "NOT (e.metadata OPERATOR(pg_catalog.?) '$redacted') AND " is_shown ", "                       \
    "ROW(e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at)"       \
    "::arbiter.recorded_event FROM ONLY {store}.events AS e WHERE "
#define SELECT_EVENTS                                                                              \
    SELECT_EVENTS_IF("($4 IS NOT NULL OR NOT pg_catalog.starts_with(e.type, '$'))")
#define IF_WANTED                                                                                  \
    "AND ($4 IS NULL OR e.type OPERATOR(pg_catalog.=) ANY ($4)) "                                  \
    "AND ($5 IS NULL OR pg_catalog.split_part(e.stream, '-', 1) OPERATOR(pg_catalog.=) $5) "

constexpr store::Query kStream =
    store::Query{SELECT_EVENTS "e.stream OPERATOR(pg_catalog.=) $6 "
                               "AND e.revision OPERATOR(pg_catalog.>) $1 "
                               "AND e.position OPERATOR(pg_catalog.<=) $2 " IF_WANTED
                               "ORDER BY e.revision LIMIT $3",
                 pg::Type::bigint,
                 pg::Type::bigint,
                 pg::Type::bigint,
                 pg::Type::text_array,
                 pg::Type::text,
                 pg::Type::text}
        .planned_for_each_call();

constexpr store::Query kEvent{SELECT_EVENTS_IF("true") "e.stream OPERATOR(pg_catalog.=) $1 "
                                                       "AND e.revision OPERATOR(pg_catalog.=) $2",
                              pg::Type::text, pg::Type::bigint};

#undef SELECT_EVENTS_IF
#undef SELECT_EVENTS
#undef IF_WANTED

// The event at which the scan stands, if it is wanted.
std::optional<Event> take(const Filter &filter, const pg::KeyOrderScan &scan, Oid event_type)
{
    static constexpr int kColumns[] = {store::kStream, store::kRevision, store::kType,
                                       store::kMetadata};
    Datum values[std::size(kColumns)];
    scan.read(kColumns, values);
    std::string_view const stream = pg::text_view(values[0]);
    std::string_view const type = pg::text_view(values[2]);
    if (!filter.wants(stream, type))
        return std::nullopt;
    return Event{.position = scan.key(),
                 .stream = pg::text_view(pg::Value(stream).datum()),
                 .revision = static_cast<std::int64_t>(values[1]),
                 .is_shown = filter.shows(type, values[3]),
                 .row = scan.copy_as(event_type)};
}

std::vector<Event> events_of(const pg::Rows &rows)
{
    std::vector<Event> events;
    events.reserve(rows.count());
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        events.push_back({.position = rows.bigint(row, 0),
                          .stream = rows.text(row, 1),
                          .revision = rows.bigint(row, 2),
                          .is_shown = rows.boolean(row, 3),
                          .row = rows.datum(row, 4)});
    return events;
}

} // namespace

void require_all_events(const store::Store &store)
{
    pg::require_privileges(store.events, pg::Privileges::select);
    if (pg::has_row_security(store.events))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "a projection cannot be run under row security on events",
                      "It would not be shown every event of the streams.",
                      "Give the role BYPASSRLS, or make the owner of the table the projection's.");
}

Feed read_feed(store::Store &store, const Runnable &projection, std::int64_t max_count)
{
    feed::View view(store, projection.position);
    feed::Walk walk(view, projection.position);
    Filter const filter(projection);
    Oid const event_type = pg::event_type();
    Feed feed{{}, projection.position, false};
    while (std::cmp_less(feed.events.size(), max_count)) {
        feed.is_caught_up = !walk.next();
        if (feed.is_caught_up)
            break;
        feed.position = walk.scan().key();
        if (auto const event = take(filter, walk.scan(), event_type))
            feed.events.push_back(*event);
    }
    if (feed.is_caught_up)
        feed.position = walk.horizon();
    walk.durability().flush();
    return feed;
}

std::vector<Event> read_log(store::Store &store, const Runnable &projection, std::int64_t max_count)
{
    pg::FreshSnapshot const now;
    pg::KeyOrderScan scan(store.events, feed::index_of_positions(store), now.get());
    scan.start(projection.position);
    Filter const filter(projection);
    Oid const event_type = pg::event_type();
    std::vector<Event> events;
    while (std::cmp_less(events.size(), max_count) && scan.next())
        if (auto const event = take(filter, scan, event_type))
            events.push_back(*event);
    return events;
}

std::vector<Event> read_stream(pg::Spi &spi, store::Store &store, const Runnable &projection,
                               std::string_view stream, std::int64_t applied,
                               std::int64_t max_count)
{
    return events_of(spi.run(
        store.statement(kStream),
        {applied, projection.position, max_count, projection.types, projection.category, stream},
        pg::Sees::caller));
}

std::vector<Event> read_event(pg::Spi &spi, store::Store &store, std::string_view stream,
                              std::int64_t revision)
{
    return events_of(spi.run(store.statement(kEvent), {stream, revision}, pg::Sees::caller));
}

} // namespace arbiter::projection
