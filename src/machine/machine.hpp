// A state machine: which event types belong to it, and what may follow what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace arbiter::machine {

// Bytes of the name of a machine, a state or a command.
inline constexpr std::size_t kMaxName = 256;

struct Transition {
    std::string from, command, event, to;
    auto operator<=>(const Transition &) const = default;
};

// One event type leads to one state, so the state of a stream is that of its last event of the
// machine's types, and needs to be stored nowhere else.
class Machine {
public:
    // What the caller wrote: [{"from": ["…"], "command": "…", "to": "…", "event": "…"}]. 22023
    // names the element and what is wrong with it.
    Machine(std::string_view name, std::string_view category, std::string_view initial,
            const Json &transitions);

    const std::string &name() const noexcept { return name_; }
    const std::string &category() const noexcept { return category_; }
    const std::string &initial() const noexcept { return initial_; }
    // One for each state that it leaves, sorted.
    const std::vector<Transition> &transitions() const noexcept { return transitions_; }

    // The state that an event of this type leads to; null if the type is not the machine's.
    const std::string *target(std::string_view type) const noexcept;
    bool allows(std::string_view state, std::string_view type) const noexcept;
    const Transition *find(std::string_view state, std::string_view command) const noexcept;
    bool has_command(std::string_view command) const noexcept;
    // It is the command's, from whatever state.
    bool raises(std::string_view command, std::string_view type) const noexcept;
    // Where the command leads, from whatever state, is always this state.
    bool aims_only_at(std::string_view command, std::string_view state) const noexcept;

    // For messages: quoted, separated by commas, empty if there is none.
    std::string commands() const;
    std::string commands_in(std::string_view state) const;
    std::string types_in(std::string_view state) const;
    std::vector<std::string_view> types() const;

private:
    struct Type {
        std::string name, target;
    };
    void add(const Json &element, const std::string &where);
    void require_determinism() const;
    void collect_types();
    void require_reachable() const;

    std::string name_, category_, initial_;
    std::vector<Transition> transitions_;
    std::vector<Type> types_;
};

} // namespace arbiter::machine
