#include "machine/transition.hpp"

#include "base/failure.hpp"
#include "base/uuid_v5.hpp"
#include "log/append.hpp"
#include "log/head.hpp"
#include "log/judge.hpp"
#include "log/replay.hpp"
#include "log/stream_name.hpp"
#include "machine/known.hpp"
#include "machine/state.hpp"
#include "machine/wording.hpp"
#include "pg/json.hpp"
#include "pg/transaction.hpp"
#include "shared/counters.hpp"

namespace arbiter::machine {

namespace {

// One command on one stream, as often as it takes.
class Attempts {
public:
    Attempts(store::Store &store, const Machine &machine, const Command &command)
        : store_(store), machine_(machine), command_(command),
          stream_(log::stream_name(machine.category(), command.entity)), metadata_(metadata())
    {
        if (command.id)
            event_id_ = uuid_v5(*command.id, "0"); // as handle names a command's only event
    }

    Transitioned run()
    {
        log::queue(store_, stream_);
        for (;;)
            if (auto done = attempt())
                return std::move(*done);
    }

private:
    // Whoever looks for the command later finds by it what it has caused.
    Datum metadata() const
    {
        if (!command_.id)
            return pg::empty_json_object();
        pg::JsonMember const cause{"$causation_id", pg::json_string(to_string(*command_.id))};
        return pg::json_object({&cause, 1});
    }

    // Nothing if another writer was faster.
    std::optional<Transitioned> attempt()
    {
        // The head first: its writer is waited for, and may have been this very command.
        log::Head const head = log::find_head(store_, stream_);
        if (auto replayed = find_replayed())
            return replayed;
        log::refuse_unserializable(head);
        State const state = find_state(store_, machine_, stream_, head.revision);
        if (const Transition *next = machine_.find(*state.name, command_.name))
            return append(*next, head);
        if (machine_.aims_only_at(command_.name, *state.name))
            return Transitioned{Outcome::already, *state.name, head.revision};
        refuse(*state.name);
    }

    std::optional<Transitioned> find_replayed() const
    {
        if (!event_id_)
            return std::nullopt;
        auto const stored = log::find_event(store_, stream_, *event_id_);
        if (!stored)
            return std::nullopt;
        if (!machine_.raises(command_.name, stored->type))
            throw Failure(sqlstate::kEventIdReused,
                          "command id " + to_string(*command_.id) + " is already used in stream " +
                              quoted(stream_),
                          "It led to the event of type " + quoted(stored->type) + " at revision " +
                              std::to_string(stored->revision) + ", which command " +
                              quoted(command_.name) + " never does.",
                          "A retry sends the same command; anything new needs a new id.");
        // Other data is RB005.
        log::NewEvent const event = event_of(stored->type);
        log::find_replay(store_, stream_, log::Expectation::from(log::Expectation::kAny),
                         {&event, 1});
        return Transitioned{Outcome::replayed, *machine_.target(stored->type), stored->revision};
    }

    log::NewEvent event_of(std::string_view type) const
    {
        return {.type = type, .data = command_.data, .metadata = metadata_, .id = event_id_};
    }

    // The machine has been asked; behind this head, the primary key knows whether that still holds.
    std::optional<Transitioned> append(const Transition &transition, const log::Head &head)
    {
        if (head.closed)
            log::refuse_closed(stream_, head.revision);
        log::NewEvent const event = event_of(transition.event);
        if (log::append_behind(store_, stream_, head, {&event, 1}))
            return Transitioned{Outcome::applied, transition.to, head.revision + 1};
        shared::count(store_.schema, shared::Noun::transition, shared::Outcome::conflict);
        if (pg::keeps_its_snapshot())
            give_up(head.revision, log::find_head(store_, stream_).revision);
        return std::nullopt;
    }

    [[noreturn]] void give_up(std::int64_t expected, std::int64_t actual) const
    {
        throw Failure(sqlstate::kWrongExpectedRevision,
                      "wrong expected revision for stream " + quoted(stream_),
                      log::describe_conflict(stream_, expected, actual),
                      "This transaction's snapshot cannot show what won: roll back and call "
                      "again.");
    }

    [[noreturn]] void refuse(const std::string &state) const
    {
        std::string const commands = machine_.commands_in(state);
        throw Failure(sqlstate::kIllegalTransition,
                      "command " + quoted(command_.name) + " is illegal in state " + quoted(state) +
                          " of machine " + quoted(machine_.name()),
                      "Stream " + quoted(stream_) + " is in state " + quoted(state) + "; " +
                          (commands.empty() ? "no command of the machine may follow."
                                            : "commands that may follow: " + commands + "."));
    }

    store::Store &store_;
    const Machine &machine_;
    const Command &command_;
    std::string const stream_;
    Datum const metadata_; // jsonb
    std::optional<Uuid> event_id_;
};

void check(const store::Store &store, const Machine &machine, const Command &command)
{
    require_command(machine, command.name);
    if (command.id && !store.event_id_key)
        log::refuse_command_id(store, "arbiter.transition");
}

void count(const store::Store &store, Outcome outcome)
{
    switch (outcome) {
    case Outcome::applied:
        return shared::count(store.schema, shared::Noun::transition, shared::Outcome::done);
    case Outcome::already:
        return shared::count(store.schema, shared::Noun::transition, shared::Outcome::already);
    case Outcome::replayed:
        return shared::count(store.schema, shared::Noun::transition, shared::Outcome::replayed);
    }
}

} // namespace

Transitioned transition(store::Store &store, const Machine &machine, const Command &command)
{
    check(store, machine, command);
    Transitioned done = Attempts(store, machine, command).run();
    count(store, done.outcome);
    return done;
}

} // namespace arbiter::machine
