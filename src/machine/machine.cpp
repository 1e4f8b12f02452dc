#include "machine/machine.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/failure.hpp"
#include "log/stream_name.hpp"
#include "machine/wording.hpp"

namespace arbiter::machine {

namespace {

[[noreturn]] void refuse(std::string message, std::string detail = {}, std::string hint = {})
{
    throw Failure(sqlstate::kInvalidParameterValue, std::move(message), std::move(detail),
                  std::move(hint));
}

void check_name(std::string_view name, const std::string &what)
{
    if (name.empty())
        refuse(what + " must not be empty");
    if (name.size() > kMaxName)
        refuse(what + " is too long", "It has " + std::to_string(name.size()) +
                                          " bytes, the limit is " + std::to_string(kMaxName) + ".");
}

// An object with these keys and no other: a misspelt key would otherwise be lost in silence.
void require_keys(const Json &element, const std::string &where)
{
    constexpr std::array<std::string_view, 4> kKeys{"from", "command", "to", "event"};
    if (!element.is(Json::Kind::object))
        refuse(where + " must be a JSON object, not " + std::string(kind_name(element.kind)));
    for (const std::string &key : element.keys)
        if (std::ranges::find(kKeys, key) == kKeys.end())
            refuse(where + " has an unknown key " + quoted(key));
    for (std::string_view key : kKeys)
        if (!element.find(key))
            refuse(where + " has no " + quoted(key));
}

const std::string &require_name(const Json &value, const std::string &what)
{
    if (!value.is(Json::Kind::string))
        refuse(what + " must be a string, not " + std::string(kind_name(value.kind)));
    check_name(value.text, what);
    return value.text;
}

void check_type(const std::string &type, const std::string &where)
{
    try {
        log::check_event_type(type);
    } catch (const Failure &failure) {
        refuse(where + ": " + failure.message(), failure.detail(), failure.hint());
    }
}

} // namespace

Machine::Machine(std::string_view name, std::string_view category, std::string_view initial,
                 const Json &transitions)
    : name_(name), category_(category), initial_(initial)
{
    check_name(name, "machine");
    check_name(initial, "initial");
    log::stream_name(category, "id"); // refuses what begins no stream's name
    if (!transitions.is(Json::Kind::array))
        refuse("transitions must be a JSON array, not " + std::string(kind_name(transitions.kind)));
    if (transitions.items.empty())
        refuse("transitions must not be empty");
    std::size_t n = 0;
    for (const Json &element : transitions.items)
        add(element, "element " + std::to_string(n++) + " of transitions");
    std::ranges::sort(transitions_);
    require_determinism();
    collect_types();
    require_reachable();
}

void Machine::add(const Json &element, const std::string &where)
{
    require_keys(element, where);
    std::string const command = require_name(*element.find("command"), "\"command\" of " + where);
    std::string const event = require_name(*element.find("event"), "\"event\" of " + where);
    std::string const to = require_name(*element.find("to"), "\"to\" of " + where);
    check_type(event, where);
    const Json &from = *element.find("from");
    if (!from.is(Json::Kind::array) || from.items.empty())
        refuse("\"from\" of " + where + " must be an array of states");
    for (const Json &state : from.items)
        transitions_.push_back({.from = require_name(state, "a state in \"from\" of " + where),
                                .command = command,
                                .event = event,
                                .to = to});
}

void Machine::require_determinism() const
{
    auto const twice =
        std::ranges::adjacent_find(transitions_, [](const Transition &a, const Transition &b) {
            return a.from == b.from && a.command == b.command;
        });
    if (twice != transitions_.end())
        refuse("command " + quoted(twice->command) + " leaves state " + quoted(twice->from) +
                   " twice",
               {}, "Give what leads elsewhere a command of its own.");
}

void Machine::collect_types()
{
    for (const Transition &transition : transitions_) {
        const std::string *known = target(transition.event);
        if (!known)
            types_.push_back({transition.event, transition.to});
        else if (*known != transition.to)
            refuse("event type " + quoted(transition.event) + " leads to two states",
                   "They are " + quoted(*known) + " and " + quoted(transition.to) + ".",
                   "The last event tells the state, so each state needs types of its own.");
    }
}

void Machine::require_reachable() const
{
    std::set<std::string_view> reached{initial_};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const Transition &transition : transitions_)
            if (reached.contains(transition.from))
                reached.insert(transition.to);
    }
    for (const Transition &transition : transitions_)
        if (!reached.contains(transition.from))
            refuse("state " + quoted(transition.from) + " is never reached",
                   "Command " + quoted(transition.command) +
                       " leaves it, but no transition leads there from " + quoted(initial_) + ".");
}

const std::string *Machine::target(std::string_view type) const noexcept
{
    for (const Type &known : types_)
        if (known.name == type)
            return &known.target;
    return nullptr;
}

bool Machine::allows(std::string_view state, std::string_view type) const noexcept
{
    return std::ranges::any_of(transitions_, [=](const Transition &transition) {
        return transition.event == type && transition.from == state;
    });
}

const Transition *Machine::find(std::string_view state, std::string_view command) const noexcept
{
    for (const Transition &transition : transitions_)
        if (transition.from == state && transition.command == command)
            return &transition;
    return nullptr;
}

bool Machine::has_command(std::string_view command) const noexcept
{
    return std::ranges::find(transitions_, command, &Transition::command) != transitions_.end();
}

bool Machine::raises(std::string_view command, std::string_view type) const noexcept
{
    return std::ranges::any_of(transitions_, [=](const Transition &transition) {
        return transition.command == command && transition.event == type;
    });
}

bool Machine::aims_only_at(std::string_view command, std::string_view state) const noexcept
{
    return std::ranges::all_of(transitions_, [=](const Transition &transition) {
        return transition.command != command || transition.to == state;
    });
}

std::string Machine::commands() const
{
    std::set<std::string_view> names;
    for (const Transition &transition : transitions_)
        names.insert(transition.command);
    return listed(names);
}

std::string Machine::commands_in(std::string_view state) const
{
    std::set<std::string_view> names;
    for (const Transition &transition : transitions_)
        if (transition.from == state)
            names.insert(transition.command);
    return listed(names);
}

std::string Machine::types_in(std::string_view state) const
{
    std::set<std::string_view> names;
    for (const Transition &transition : transitions_)
        if (transition.from == state)
            names.insert(transition.event);
    return listed(names);
}

std::vector<std::string_view> Machine::types() const
{
    std::vector<std::string_view> names;
    for (const Type &type : types_)
        names.emplace_back(type.name);
    return names;
}

} // namespace arbiter::machine
