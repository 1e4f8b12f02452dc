#include "projection/batch.hpp"

#include <map>
#include <vector>

#include "base/failure.hpp"
#include "pg/event_function.hpp"
#include "pg/subtransaction.hpp"
#include "projection/held.hpp"
#include "projection/offset.hpp"

namespace arbiter::projection {

namespace {

// By stream: in this order everywhere, so that two sessions that move offsets do not lock each
// other out.
std::map<std::string_view, Advance> advances_of(std::span<const Event> events)
{
    std::map<std::string_view, Advance> advances;
    for (const Event &event : events)
        advances
            .try_emplace(
                event.stream,
                Advance{.entity = event.stream, .first = event.revision, .last = event.revision})
            .first->second.last = event.revision;
    return advances;
}

} // namespace

bool is_about_more_than_an_event(const pg::Error &error)
{
    return error.code().starts_with("57") || error.is(sqlstate::kSerializationFailure);
}

// The offsets first, as every consumer does it: they decide what is new.
std::int64_t advance_and_handle(store::Store &store, const Runnable &projection,
                                std::span<const Event> events)
{
    auto by_stream = advances_of(events);
    std::vector<Advance> advances;
    advances.reserve(by_stream.size());
    for (const auto &[stream, advance] : by_stream)
        advances.push_back(advance);
    advance_all(store, projection.name, projection.strict, advances);
    for (const Advance &advance : advances)
        by_stream.find(advance.entity)->second.applied = advance.applied;
    std::vector<Datum> rows;
    rows.reserve(events.size());
    for (const Event &event : events)
        if (event.is_shown && event.revision > by_stream.find(event.stream)->second.applied)
            rows.push_back(event.row);
    if (!rows.empty())
        pg::EventFunction(projection.handler)(rows);
    return static_cast<std::int64_t>(rows.size());
}

std::optional<std::string> Batch::attempt(const std::function<void()> &body)
{
    auto const error = pg::attempt(body);
    if (!error)
        return std::nullopt;
    if (is_about_more_than_an_event(*error))
        throw *error;
    return error->what() + (" (SQLSTATE " + error->code()) + ")";
}

std::optional<Batch::Reason> Batch::try_all(std::span<const Event> events)
{
    std::int64_t handled = 0;
    try {
        if (auto const refused =
                attempt([&] { handled = advance_and_handle(store_, projection_, events); }))
            return Reason{*refused, true};
    } catch (const Failure &failure) {
        // Of a stream's own past: read from the stream, it is there. To pass it would skip it.
        if (failure.sqlstate() != sqlstate::kOffsetGap)
            throw;
        return Reason{failure.message() + " (SQLSTATE RB010)", false};
    }
    applied_ += handled;
    return std::nullopt;
}

std::optional<std::string> Batch::offer(const Event &event)
{
    auto refused = attempt([&] { pg::EventFunction(projection_.handler)({&event.row, 1}); });
    ++(refused ? failed_ : applied_);
    return refused;
}

void Batch::apply(std::span<const Event> events)
{
    std::vector<Event> todo;
    todo.reserve(events.size());
    for (const Event &event : events)
        if (!holds(event.stream))
            todo.push_back(event);
    if (todo.empty())
        return;
    auto const reason = try_all(todo);
    if (!reason)
        return;
    if (todo.size() == 1)
        return give_up(todo.front(), *reason);
    std::span<const Event> const all(todo);
    std::size_t const half = todo.size() / 2;
    apply(all.first(half));
    apply(all.subspan(half));
}

void Batch::give_up(const Event &event, const Reason &reason)
{
    ++failed_;
    Place const place{projection_.name, event.stream};
    std::int64_t const attempts = counted_ == event.revision
                                      ? tell(store_, place, event.revision, reason.text)
                                      : hold_back(store_, place, event.revision, reason.text);
    bool const is_passed = reason.may_be_passed && projection_.kind == Kind::async &&
                           attempts >= projection_.max_attempts;
    if (!is_passed)
        return hold(event.stream);
    Advance advance{.entity = event.stream, .first = event.revision, .last = event.revision};
    advance_all(store_, projection_.name, projection_.strict, {&advance, 1});
    owe(store_, place, event.revision);
}

} // namespace arbiter::projection
