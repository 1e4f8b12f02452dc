#include "projection/runner.hpp"

#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "feed/horizon.hpp"
#include "pg/acting_role.hpp"
#include "pg/catalog.hpp"
#include "pg/clock.hpp"
#include "pg/keyed_row.hpp"
#include "pg/snapshot.hpp"
#include "projection/batch.hpp"
#include "projection/held.hpp"
#include "projection/offset.hpp"
#include "projection/registry.hpp"
#include "projection/tables.hpp"

namespace arbiter::projection {

namespace {

// One runner at a time: who finds the row locked has nothing to do.
constexpr store::Query kTakeOn{
    "SELECT c.position, p.kind, p.strict, p.max_attempts, p.handler, p.types, p.category "
    "FROM {store}.projections AS p JOIN {store}.projection_cursors AS c "
    "ON c.projection OPERATOR(pg_catalog.=) p.projection "
    "WHERE p.projection OPERATOR(pg_catalog.=) $1 FOR NO KEY UPDATE OF c SKIP LOCKED",
    pg::Type::text};

std::optional<Runnable> take_on(pg::Spi &spi, store::Store &store, std::string_view name)
{
    enum { kPosition, kKind, kStrict, kMaxAttempts, kHandler, kTypes, kCategory };
    pg::Rows const rows = spi.run(store.statement(kTakeOn), {name}, pg::Sees::fresh);
    if (rows.empty())
        return std::nullopt;
    return Runnable{.name = name,
                    .kind = kind_from(rows.text(0, kKind)),
                    .strict = rows.boolean(0, kStrict),
                    .max_attempts = rows.bigint(0, kMaxAttempts),
                    .handler = rows.text(0, kHandler),
                    .types = rows.is_null(0, kTypes) ? pg::Value::null()
                                                     : pg::Value::of(rows.datum(0, kTypes)),
                    .category = rows.is_null(0, kCategory) ? std::nullopt
                                                           : std::optional(rows.text(0, kCategory)),
                    .position = rows.bigint(0, kPosition)};
}

void move_cursor(store::Store &store, std::string_view name, std::int64_t position)
{
    auto const [table, key] = store.table(kCursors);
    pg::IndexKey const wanted(name);
    pg::decide_row({.table = table, .index = key, .values = {&wanted, 1}},
                   [&](const pg::FoundRow *row, bool, pg::Draft &draft) {
                       draft.set(kCursorPosition, static_cast<Datum>(position));
                       draft.set(kCursorMovedAt, pg::clock_timestamp());
                       return row ? pg::Verdict::write : pg::Verdict::leave;
                   });
}

void require_all_events(const store::Store &store)
{
    if (pg::has_row_security(store.events))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "a projection cannot run under row security on events",
                      "Its owner would not be shown every event of the streams.",
                      "Give the role BYPASSRLS, or make the owner of the table the projection's.");
}

// What is left of the stream up to the cursor, the event that failed before on its own first.
std::int64_t catch_up(pg::Spi &spi, store::Store &store, const Runnable &projection, Batch &batch,
                      const Held &held, std::int64_t max_count)
{
    Place const place{projection.name, held.stream};
    auto const events = read_stream(spi, store, projection, held.stream, held.applied, max_count);
    auto const count = static_cast<std::int64_t>(events.size());
    std::span<const Event> const all(events);
    batch.take_up(held.stream);
    batch.apply(all.first(std::min<std::size_t>(1, all.size())));
    if (all.size() > 1)
        batch.apply(all.subspan(1));
    if (batch.holds(held.stream))
        return count;
    if (count < max_count)
        let_go(store, place);
    else
        batch.hold(held.stream); // the rest is due
    return count;
}

} // namespace

Ran run(store::Store &store, std::string_view name, std::int64_t max_count)
{
    if (max_count < 1)
        throw Failure(sqlstate::kInvalidParameterValue, "argument \"max_count\" must be positive",
                      "It is " + std::to_string(max_count) + ".");
    pg::ActingAs const owner(handler_owner(store, name));
    open(store, {name, name});
    require_all_events(store);
    pg::Spi spi;
    auto const projection = take_on(spi, store, name);
    if (!projection)
        return {.is_busy = true};
    pg::StatementSnapshot const now;
    Batch batch(store, *projection);
    auto const held = held_back(store, name);
    for (const Held &stream : held)
        batch.hold(stream.stream);
    std::int64_t left = max_count;
    for (const Held &stream : held)
        if (stream.is_due && left > 0)
            left -= catch_up(spi, store, *projection, batch, stream, left);
    std::int64_t position = projection->position;
    bool is_caught_up = false;
    if (left > 0) {
        std::int64_t const settled = feed::horizon(store, position);
        auto const events = read_feed(spi, store, *projection, settled, left);
        batch.apply(events);
        is_caught_up = static_cast<std::int64_t>(events.size()) < left;
        position = is_caught_up ? settled : events.back().position;
    }
    if (position != projection->position)
        move_cursor(store, name, position);
    return {.is_busy = false,
            .applied = batch.applied(),
            .failed = batch.failed(),
            .held_back = batch.held(),
            .position = position,
            .is_caught_up = is_caught_up};
}

} // namespace arbiter::projection
