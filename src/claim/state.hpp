// What a claim can be, and what may become of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::claim {

enum class State {
    claimed, // somebody is at it, or was when it ended
    done,    // it has happened: never again
    failed,  // it is known not to have happened: anybody may try again
    unknown, // nobody knows: a person decides
};

const char *name(State state) noexcept;
std::optional<State> state_named(std::string_view name) noexcept;

// What settle may make of a claim: 22023 for anything but done, failed and unknown.
State settled_state(std::string_view name);

// The part of a claim that tokens and states keep honest.
struct Standing {
    std::int64_t token;
    State state;
};

// Null if a claim may go from one standing to the other, whoever writes it; otherwise why not, as a
// sentence.
const char *refusal(Standing from, Standing to) noexcept;

} // namespace arbiter::claim
