#include "projection/turn.hpp"

#include "base/failure.hpp"
#include "feed/horizon.hpp"
#include "pg/catalog.hpp"
#include "pg/clock.hpp"
#include "pg/event_function.hpp"
#include "pg/keyed_row.hpp"
#include "pg/transaction.hpp"
#include "projection/offset.hpp"
#include "projection/registry.hpp"
#include "projection/tables.hpp"

namespace arbiter::projection {

namespace {

// One runner at a time: who finds the row locked has nothing to do.
#define SELECT_AND_LOCK                                                                            \
    "SELECT c.position, p.kind, p.strict, p.max_attempts, p.handler, p.types, p.category "         \
    "FROM {store}.projections AS p JOIN {store}.projection_cursors AS c "                          \
    "ON c.projection OPERATOR(pg_catalog.=) p.projection "                                         \
    "WHERE p.projection OPERATOR(pg_catalog.=) $1 FOR NO KEY UPDATE OF c"
constexpr store::Query kWaitFor{SELECT_AND_LOCK, pg::Type::text};
constexpr store::Query kTakeOn{SELECT_AND_LOCK " SKIP LOCKED", pg::Type::text};
#undef SELECT_AND_LOCK

std::optional<Runnable> take_on(pg::Spi &spi, store::Store &store, std::string_view name,
                                Patience patience)
{
    enum { kPosition, kKind, kStrict, kMaxAttempts, kHandler, kTypes, kCategory };
    pg::Rows const rows = spi.run(store.statement(patience == Patience::waits ? kWaitFor : kTakeOn),
                                  {name}, pg::Sees::fresh);
    if (rows.empty())
        return std::nullopt;
    return Runnable{
        .name = name,
        .kind = kind_from(rows.text(0, kKind)),
        .strict = rows.boolean(0, kStrict),
        .max_attempts = rows.bigint(0, kMaxAttempts),
        .handler = rows.is_null(0, kHandler) ? std::string_view() : rows.text(0, kHandler),
        .types = rows.is_null(0, kTypes) ? pg::Value::null() : pg::Value::of(rows.datum(0, kTypes)),
        .category =
            rows.is_null(0, kCategory) ? std::nullopt : std::optional(rows.text(0, kCategory)),
        .position = rows.bigint(0, kPosition)};
}

void refuse_inline(std::string_view name)
{
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "projection \"" + std::string(name) + "\" is inline",
                  "Its handler runs in the transaction of whoever writes an event, so nothing is "
                  "ever left to run.",
                  "To apply everything again, call arbiter.rebuild_projection.");
}

} // namespace

Turn::Turn(store::Store &store, std::string_view name, Patience patience)
    : store_(store), acting_(handler_owner(store, name))
{
    if (open_offsets(store, name).is_inline) // nobody drops it now
        refuse_inline(name);
    require_all_events(store);
    projection_ = take_on(spi_, store, name, patience);
    if (projection_)
        now_.emplace();
}

void Turn::require_handler() const
{
    if (projection_->handler.empty())
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "projection \"" + std::string(projection_->name) + "\" has no handler",
                      "Its workers apply the effects.", "They call arbiter.next_events.");
    pg::EventFunction const callable(projection_->handler);
}

std::int64_t Turn::settled()
{
    return feed::horizon(store_, projection_->position);
}

void Turn::move_cursor(std::int64_t position)
{
    write_cursor(position, MarkOf::as_it_is);
}

void Turn::leave(std::int64_t position)
{
    write_cursor(position, MarkOf::nobody);
}

void Turn::leave_mark()
{
    write_cursor(projection_->position, MarkOf::this_session);
}

void Turn::write_cursor(std::int64_t position, MarkOf mark)
{
    auto const [table, key] = store_.table(kCursors);
    pg::IndexKey const name(projection_->name);
    pg::decide_row({.table = table, .index = key, .values = {&name, 1}},
                   [&](const pg::FoundRow *row, bool, pg::Draft &draft) {
                       draft.set(kCursorPosition, static_cast<Datum>(position));
                       draft.set(kCursorMovedAt, pg::clock_timestamp());
                       if (mark == MarkOf::nobody)
                           draft.clear(kCursorRunner);
                       if (mark == MarkOf::this_session)
                           draft.set(kCursorRunner, static_cast<Datum>(pg::this_process()));
                       return row ? pg::Verdict::write : pg::Verdict::leave;
                   });
}

} // namespace arbiter::projection
