#include "claim/state.hpp"

#include <string>

#include "base/failure.hpp"

namespace arbiter::claim {

const char *name(State state) noexcept
{
    switch (state) {
    case State::claimed:
        return "claimed";
    case State::done:
        return "done";
    case State::failed:
        return "failed";
    case State::unknown:
        return "unknown";
    }
    return "";
}

std::optional<State> state_named(std::string_view text) noexcept
{
    for (State state : {State::claimed, State::done, State::failed, State::unknown})
        if (text == name(state))
            return state;
    return std::nullopt;
}

State settled_state(std::string_view text)
{
    auto const state = state_named(text);
    if (state && *state != State::claimed)
        return *state;
    throw Failure(sqlstate::kInvalidParameterValue,
                  "a claim cannot be settled as \"" + std::string(text) + "\"", {},
                  "It is 'done', 'failed' (known not to have happened) or 'unknown'.");
}

const char *refusal(Standing from, Standing to) noexcept
{
    if (to.token < from.token)
        return "A token never decreases.";
    bool const same_state = to.state == from.state;
    if (from.state == State::done)
        return same_state && to.token == from.token ? nullptr : "What is done never reopens.";
    if (to.token > from.token)
        return to.state == State::claimed ? nullptr : "A new token belongs to a new claim.";
    if (same_state || from.state == State::claimed)
        return nullptr;
    return "What has been settled takes a larger token to claim again.";
}

} // namespace arbiter::claim
