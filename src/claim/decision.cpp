#include "claim/decision.hpp"

#include <algorithm>
#include <limits>

namespace arbiter::claim {

namespace {

constexpr std::int64_t kUnixEpoch = -946'684'800'000'000; // in the server's count
constexpr Time kEndOfTime = std::numeric_limits<Time>::max();

bool is_open(const Found &found, const Policy &policy, Time now) noexcept
{
    switch (found.standing.state) {
    case State::failed:
        return true;
    case State::claimed:
        return policy.takeover == Takeover::after_lease && has_lapsed(found.lease_until, now);
    case State::done:
    case State::unknown:
        return false;
    }
    return false;
}

} // namespace

Decision decide(const Found *found, bool in_flight, const Policy &policy,
                std::optional<std::string_view> fingerprint, Time now) noexcept
{
    if (!found)
        return in_flight ? Decision::busy : Decision::win;
    // A request without a fingerprint asserts nothing, so it can't be another one.
    if (fingerprint && found->fingerprint && *fingerprint != *found->fingerprint)
        return Decision::mismatch;
    if (found->mine && found->standing.state == State::claimed)
        return Decision::own;
    if (is_open(*found, policy, now))
        return in_flight ? Decision::busy : Decision::win;
    return found->standing.state == State::claimed ? Decision::taken : Decision::settled;
}

bool has_lapsed(std::optional<Time> lease_until, Time now) noexcept
{
    return lease_until && *lease_until <= now;
}

std::optional<Time> lease_end(const Policy &policy, Time now) noexcept
{
    if (!policy.lease)
        return std::nullopt;
    return policy.lease->count() > kEndOfTime - now ? kEndOfTime : now + policy.lease->count();
}

std::int64_t next_token(std::optional<std::int64_t> before, Time now) noexcept
{
    return std::max(now - kUnixEpoch, before.value_or(0) + 1);
}

} // namespace arbiter::claim
