#include "machine/governor.hpp"

#include <string>

#include "base/failure.hpp"
#include "log/governor.hpp"
#include "log/stream_name.hpp"
#include "machine/known.hpp"
#include "machine/state.hpp"
#include "machine/wording.hpp"

namespace arbiter::machine {

namespace {

[[noreturn]] void refuse(const Machine &machine, std::string_view stream, const std::string &state,
                         std::string_view type)
{
    std::string const allowed = machine.types_in(state);
    throw Failure(sqlstate::kIllegalTransition,
                  "event type " + quoted(type) + " is illegal in state " + quoted(state) +
                      " of machine " + quoted(machine.name()),
                  "Stream " + quoted(stream) + " is in state " + quoted(state) + "; " +
                      (allowed.empty() ? "no event of the machine may follow."
                                       : "event types that may follow: " + allowed + "."));
}

bool concerns(const Machine &machine, std::span<const log::NewEvent> events)
{
    for (const log::NewEvent &event : events)
        if (machine.target(event.type))
            return true;
    return false;
}

// Event by event: one of the batch may be what makes the next one legal.
void judge_by(const Machine &machine, store::Store &store, std::string_view stream,
              const log::Head &head, std::span<const log::NewEvent> events)
{
    const std::string *state = find_state(store, machine, stream, head.revision).name;
    for (const log::NewEvent &event : events) {
        const std::string *const target = machine.target(event.type);
        if (!target)
            continue;
        if (!machine.allows(*state, event.type))
            refuse(machine, stream, *state, event.type);
        state = target;
    }
}

void judge(store::Store &store, std::string_view stream, const log::Head &head,
           std::span<const log::NewEvent> events)
{
    for (const Machine *machine : known(store).of(log::category(stream)))
        if (concerns(*machine, events))
            judge_by(*machine, store, stream, head, events);
}

// Without that event the stream would silently be back in an earlier state.
void judge_truncation(store::Store &store, std::string_view stream, const log::Head &head,
                      std::int64_t before)
{
    for (const Machine *machine : known(store).of(log::category(stream))) {
        State const state = find_state(store, *machine, stream, head.revision);
        if (state.revision == log::kNoRevision || state.revision >= before)
            continue;
        std::string const revision = std::to_string(state.revision);
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "cannot truncate stream " + quoted(stream) + " before revision " +
                          std::to_string(before),
                      "The event at revision " + revision + " tells that it is in state " +
                          quoted(*state.name) + " of machine " + quoted(machine->name()) + ".",
                      "Truncate before revision " + revision +
                          " at most; arbiter.redact empties that event and leaves its type.");
    }
}

} // namespace

void govern_log() noexcept
{
    log::appoint({.judge = judge, .judge_truncation = judge_truncation});
}

} // namespace arbiter::machine
