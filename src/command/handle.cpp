#include "command/handle.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "command/events.hpp"
#include "command/key.hpp"
#include "log/append.hpp"
#include "log/event_json.hpp"
#include "log/fold.hpp"
#include "log/head.hpp"
#include "log/judge.hpp"
#include "log/replay.hpp"
#include "log/stream_name.hpp"
#include "pg/caller_function.hpp"
#include "pg/json.hpp"
#include "pg/snapshot.hpp"
#include "pg/subtransaction.hpp"
#include "pg/transaction.hpp"
#include "shared/counters.hpp"

namespace arbiter::command {

namespace {

constexpr pg::Signature kDecide{.argument = "decide",
                                .declaration = "decide(state jsonb, command jsonb) RETURNS jsonb",
                                .never_null = "Where there is nothing to do, return '[]'.",
                                .second = nullptr};

// Another writer was faster. Thrown out of the attempt, so that its subtransaction is rolled back.
struct Lost {
    std::int64_t expected;
    std::int64_t actual;
};

void check(const store::Store &store, const Command &command)
{
    log::check_stream_name(command.stream);
    if (!pg::json_is_object(command.metadata))
        throw Failure(sqlstate::kInvalidParameterValue, "metadata must be a JSON object");
    require_no_key(command.metadata);
    if (command.max_attempts < 1)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "argument \"max_attempts\" must be positive",
                      "It is " + std::to_string(command.max_attempts) + ".");
    if (command.id && !store.event_id_key)
        log::refuse_command_id(store, "arbiter.handle");
}

// The revision of the command's last event, if it has been handled before.
std::optional<std::int64_t> find_handled(const store::Store &store, const Command &command)
{
    std::optional<std::int64_t> last;
    for (std::size_t n = 0; command.id; ++n) {
        auto const stored = log::find_event(store, command.stream, event_id(*command.id, n));
        if (!stored)
            break;
        last = stored->revision;
    }
    return last;
}

// Who else stored events of this very command, between our look for them and the append, is
// answered like any faster writer: the next attempt finds the command handled.
log::Appended append_unless_beaten(store::Store &store, const Command &command, std::int64_t head,
                                   const std::vector<log::NewEvent> &events)
{
    log::Request const request{
        .stream = command.stream, .expected = log::Expectation::from(head), .events = events};
    try {
        return log::try_append(store, {&request, 1}, log::Refusal::is_error).front();
    } catch (const Failure &failure) {
        if (failure.sqlstate() != sqlstate::kEventIdReused || !find_handled(store, command))
            throw;
        throw Lost{head, log::find_head(store, command.stream).revision};
    }
}

Handled append_decision(store::Store &store, const Command &command, std::int64_t head,
                        const std::vector<log::NewEvent> &events)
{
    auto const answer = append_unless_beaten(store, command, head, events);
    switch (answer.outcome) {
    case log::Outcome::appended:
        return {Outcome::applied, answer.revision, 0};
    case log::Outcome::closed:
        log::refuse_closed(command.stream, answer.current);
    case log::Outcome::conflict:
    case log::Outcome::replayed:
        break;
    }
    throw Lost{head, answer.current};
}

bool is_key_on_record(store::Store &store, const Command &command)
{
    return command.key && check_key(store, command.stream, *command.key) == Key::on_record;
}

// The snapshot comes before the look for the command's events: whoever stores them later than that
// look is not in the state either, so that the append is refused.
Handled attempt(store::Store &store, const Command &command)
{
    pg::increment_command_counter();
    pg::StatementSnapshot const snapshot;
    if (auto const handled = find_handled(store, command)) {
        pg::StatementSnapshot const later; // it may have been waited for
        is_key_on_record(store, command);
        return {Outcome::replayed, *handled, 0};
    }
    bool const on_record = is_key_on_record(store, command);
    auto const [state, head] =
        log::fold(store, command.stream, command.evolve, command.initial, pg::Sees::caller);
    pg::CallerFunction decide(command.decide, kDecide);
    auto events = log::parse_events(decide(state, command.payload), "the decision");
    if (events.empty())
        return {Outcome::already, head, 0};
    stamp(events, command, on_record ? std::nullopt : command.key);
    if (store::is_current(store))
        return append_decision(store, command, head, events);
    // As the table is now: decide may have changed it.
    return append_decision(*log::open_for_append(store.name), command, head, events);
}

Handled attempt_or_roll_back(store::Store &store, const Command &command)
{
    Handled handled{};
    if (auto const error = pg::attempt([&] { handled = attempt(store, command); }))
        throw *error;
    return handled;
}

[[noreturn]] void give_up(const Command &command, std::int64_t attempts, const Lost &lost)
{
    throw Failure(
        sqlstate::kWrongExpectedRevision,
        "wrong expected revision for stream \"" + std::string(command.stream) + "\"",
        log::describe_conflict(command.stream, lost.expected, lost.actual),
        pg::keeps_its_snapshot()
            ? "This transaction's snapshot cannot show what won: roll back and call again."
            : "Given up after attempt " + std::to_string(attempts) +
                  ": another writer was faster each time. Call again.");
}

void count(const store::Store &store, Outcome outcome)
{
    switch (outcome) {
    case Outcome::applied:
        return shared::count(store.schema, shared::Noun::handle, shared::Outcome::done);
    case Outcome::already:
        return shared::count(store.schema, shared::Noun::handle, shared::Outcome::already);
    case Outcome::replayed:
        return shared::count(store.schema, shared::Noun::handle, shared::Outcome::replayed);
    }
}

} // namespace

Handled handle(store::Store &store, const Command &command)
{
    check(store, command);
    if (command.lock)
        log::queue(store, command.stream);
    std::int64_t const most = pg::keeps_its_snapshot() ? 1 : command.max_attempts;
    for (std::int64_t n = 1;; ++n) {
        try {
            // What the last attempt has written goes with the error that follows its defeat.
            Handled handled =
                n < most ? attempt_or_roll_back(store, command) : attempt(store, command);
            handled.attempts = handled.outcome == Outcome::replayed ? n - 1 : n;
            count(store, handled.outcome);
            return handled;
        } catch (const Lost &lost) {
            shared::count(store.schema, shared::Noun::handle, shared::Outcome::conflict);
            if (n == most)
                give_up(command, n, lost);
        }
    }
}

} // namespace arbiter::command
