#include "projection/ahead.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/text_array.hpp"
#include "projection/definition.hpp"
#include "projection/guard.hpp"
#include "projection/registry.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kCourse{
    "SELECT p.kind, p.handler IS NOT NULL, p.types, p.category, c.position, c.moved_at "
    "FROM {store}.projections AS p LEFT JOIN {store}.projection_cursors AS c "
    "ON c.projection OPERATOR(pg_catalog.=) p.projection "
    "WHERE p.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};

// Each question about a stream is a subquery that answers one value, so that it is answered by one
// look into an index, whatever the planner believes of the tables.
#define APPLIED_TO                                                                                 \
    "COALESCE((SELECT o.revision FROM {store}.offsets AS o "                                       \
    "WHERE o.projection OPERATOR(pg_catalog.=) $1 AND o.entity OPERATOR(pg_catalog.=) "
#define OR_NOTHING "), -1)"
// An event that was applied after it had failed holds nothing back. num_nulls: where the planner
// saw IS NULL it would take the index of what is open, and go through all of it for each stream.
#define WAITS                                                                                      \
    "(SELECT true FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "   \
    "AND f.entity OPERATOR(pg_catalog.=) a.entity AND f.revision OPERATOR(pg_catalog.>) "          \
    "a.applied "                                                                                   \
    "AND pg_catalog.num_nulls(f.passed_at) OPERATOR(pg_catalog.=) 1 "                              \
    "AND f.next_attempt_at OPERATOR(pg_catalog.>) pg_catalog.clock_timestamp() LIMIT 1) "          \
    "IS NOT NULL "
#define IF_WANTED                                                                                  \
    "AND ($2 IS NULL OR e.type OPERATOR(pg_catalog.=) ANY ($2)) "                                  \
    "AND ($3 IS NULL OR pg_catalog.split_part(e.stream, '-', 1) OPERATOR(pg_catalog.=) $3) "

constexpr store::Query kAhead =
    store::Query{"SELECT a.position, a.entity, a.revision, "
                 "a.revision OPERATOR(pg_catalog.<=) a.applied, "
                 "a.revision OPERATOR(pg_catalog.>) a.applied AND " WAITS
                 "FROM (SELECT e.position, e.stream AS entity, e.revision, " APPLIED_TO
                 "e.stream" OR_NOTHING " AS applied FROM ONLY {store}.events AS e "
                 "WHERE e.position OPERATOR(pg_catalog.>) $4 "
                 "AND e.position OPERATOR(pg_catalog.<=) $5 " IF_WANTED
                 "ORDER BY e.position LIMIT $6) AS a ORDER BY a.position",
                 pg::Type::text,
                 pg::Type::text_array,
                 pg::Type::text,
                 pg::Type::bigint,
                 pg::Type::bigint,
                 pg::Type::bigint}
        .planned_for_each_call();

// What a stream has beyond the cursor is its, too.
constexpr store::Query kAside =
    store::Query{"SELECT e.position, a.entity, e.revision, a.waits "
                 "FROM (SELECT a.entity, a.applied, " WAITS "AS waits "
                 "FROM (SELECT s.entity, " APPLIED_TO "s.entity" OR_NOTHING " AS applied "
                 "FROM {store}.streams_set_aside AS s "
                 "WHERE s.projection OPERATOR(pg_catalog.=) $1 OFFSET 0) AS a OFFSET 0) AS a "
                 "LEFT JOIN LATERAL (SELECT e.position, e.revision FROM ONLY {store}.events AS e "
                 "WHERE NOT a.waits AND e.stream OPERATOR(pg_catalog.=) a.entity "
                 "AND e.revision OPERATOR(pg_catalog.>) a.applied "
                 "AND e.position OPERATOR(pg_catalog.<=) $4 " IF_WANTED
                 "ORDER BY e.revision LIMIT $5) AS e ON true ORDER BY e.position",
                 pg::Type::text,
                 pg::Type::text_array,
                 pg::Type::text,
                 pg::Type::bigint,
                 pg::Type::bigint}
        .planned_for_each_call();

// A stream that has nothing left up to where the cursor goes is the feed's again.
constexpr store::Query kTakeBack =
    store::Query{"DELETE FROM {store}.streams_set_aside AS s "
                 "WHERE s.projection OPERATOR(pg_catalog.=) $1 "
                 "AND (SELECT true FROM ONLY {store}.events AS e "
                 "WHERE e.stream OPERATOR(pg_catalog.=) s.entity "
                 "AND e.revision OPERATOR(pg_catalog.>) " APPLIED_TO "s.entity" OR_NOTHING
                 " AND e.position OPERATOR(pg_catalog.<=) $4 " IF_WANTED "LIMIT 1) IS NULL",
                 pg::Type::text, pg::Type::text_array, pg::Type::text, pg::Type::bigint}
        .planned_for_each_call();

#undef IF_WANTED
#undef WAITS
#undef OR_NOTHING
#undef APPLIED_TO

constexpr store::Query kLockCursor{
    "SELECT FROM {store}.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) $1 "
    "AND c.position OPERATOR(pg_catalog.=) $2 AND c.moved_at OPERATOR(pg_catalog.=) $3 "
    "FOR NO KEY UPDATE SKIP LOCKED",
    pg::Type::text, pg::Type::bigint, pg::Type::timestamptz};
constexpr store::Query kSetAside{
    "INSERT INTO {store}.streams_set_aside (projection, entity) "
    "SELECT $1, s.entity FROM pg_catalog.unnest($2) AS s (entity) ON CONFLICT DO NOTHING",
    pg::Type::text, pg::Type::text_array};
constexpr store::Query kMoveCursor{"UPDATE {store}.projection_cursors AS c "
                                   "SET position = $2, moved_at = pg_catalog.clock_timestamp() "
                                   "WHERE c.projection OPERATOR(pg_catalog.=) $1",
                                   pg::Type::text, pg::Type::bigint};

[[noreturn]] void refuse_kind(std::string_view name, const char *what, const char *hint)
{
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "projection \"" + std::string(name) + "\" " + what, {}, hint);
}

pg::Value value(const pg::Rows &rows, int column)
{
    return rows.is_null(0, column) ? pg::Value::null() : pg::Value::of(rows.datum(0, column));
}

} // namespace

Course find_course(pg::Spi &spi, store::Store &store, std::string_view name)
{
    enum { kKind, kHasHandler, kTypes, kCategory, kPosition, kMovedAt };
    pg::Rows const rows = spi.run(store.statement(kCourse), {name}, pg::Sees::fresh);
    if (rows.empty())
        refuse_unknown(store, name);
    Kind const kind = kind_from(rows.text(0, kKind));
    if (!follows_the_feed(kind))
        refuse_kind(name, "does not follow the feed",
                    "Workers take the events of a transactional or async projection without a "
                    "handler.");
    if (rows.boolean(0, kHasHandler))
        refuse_kind(name, "has a handler", "arbiter.run_projection calls it.");
    return {.name = name,
            .has_tokens = kind == Kind::async,
            .types = value(rows, kTypes),
            .category = value(rows, kCategory),
            .position = rows.bigint(0, kPosition),
            .moved_at = value(rows, kMovedAt)};
}

std::vector<Ahead> look_ahead(pg::Spi &spi, store::Store &store, const Course &course,
                              std::int64_t after, std::int64_t settled, std::int64_t max_count)
{
    pg::Rows const rows = spi.run(
        store.statement(kAhead),
        {course.name, course.types, course.category, after, settled, max_count}, pg::Sees::caller);
    std::vector<Ahead> events;
    events.reserve(rows.count());
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        events.push_back({.position = rows.bigint(row, 0),
                          .stream = rows.text(row, 1),
                          .revision = rows.bigint(row, 2),
                          .is_applied = rows.boolean(row, 3),
                          .waits = rows.boolean(row, 4)});
    return events;
}

Aside look_aside(pg::Spi &spi, store::Store &store, const Course &course, std::int64_t settled,
                 std::int64_t max_count)
{
    pg::Rows const rows =
        spi.run(store.statement(kAside),
                {course.name, course.types, course.category, settled, max_count}, pg::Sees::caller);
    Aside aside;
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        std::string_view const stream = rows.text(row, 1);
        bool const is_any = !rows.is_null(row, 0);
        bool const is_first = aside.streams.insert(stream).second;
        if (is_first && !rows.boolean(row, 3) && (!is_any || rows.bigint(row, 0) > course.position))
            aside.has_caught_up = true;
        if (is_any)
            aside.events.push_back({.position = rows.bigint(row, 0),
                                    .stream = stream,
                                    .revision = rows.bigint(row, 2),
                                    .is_applied = false,
                                    .waits = false});
    }
    return aside;
}

void move_on(pg::Spi &spi, store::Store &store, const Course &course, const Step &step)
{
    if (spi.run(store.statement(kLockCursor), {course.name, course.position, course.moved_at},
                pg::Sees::fresh)
            .empty())
        return;
    OffsetsMayChange permit;
    if (!step.stragglers.empty())
        spi.run(store.statement(kSetAside),
                {course.name, pg::Value::of(pg::text_array(step.stragglers))}, pg::Sees::fresh);
    if (step.has_caught_up)
        spi.run(store.statement(kTakeBack),
                {course.name, course.types, course.category, step.position}, pg::Sees::fresh);
    spi.run(store.statement(kMoveCursor), {course.name, step.position}, pg::Sees::fresh);
}

} // namespace arbiter::projection
