// The truth table of claim(): what a claimant is told, from what is found under the key.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/duration.hpp"
#include "claim/state.hpp"

namespace arbiter::claim {

// Microseconds since 2000-01-01 00:00 UTC, as the server counts time.
using Time = std::int64_t;

enum class Takeover {
    never,       // at most once
    after_lease, // at least once: whoever comes after the lease takes over, and the token fences
};

struct Policy {
    Takeover takeover = Takeover::never;
    std::optional<Duration> lease;
    bool durable = true;
};

// A claim that is committed, or made by this very transaction.
struct Found {
    Standing standing;
    std::optional<Time> lease_until;
    std::optional<std::string_view> fingerprint;
    bool mine; // written by this transaction
};

enum class Decision {
    win,      // nothing is in the way: claim it
    own,      // this transaction has it already
    taken,    // somebody else has it
    settled,  // it is over, or a person has to decide
    busy,     // another transaction is claiming it right now
    mismatch, // it was claimed for another request
};

// found is null where there is no claim, in_flight tells that another transaction has written one,
// or changed this one, and has not ended.
Decision decide(const Found *found, bool in_flight, const Policy &policy,
                std::optional<std::string_view> fingerprint, Time now) noexcept;

bool has_lapsed(std::optional<Time> lease_until, Time now) noexcept;
std::optional<Time> lease_end(const Policy &policy, Time now) noexcept;

// Larger than the one before, and than any that was handed out under this key before the claim was
// pruned: microseconds since 1970.
std::int64_t next_token(std::optional<std::int64_t> before, Time now) noexcept;

} // namespace arbiter::claim
