// Claiming a key before doing what it names: an arbiter. It holds for every writer because the
// primary key of the claims decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "claim/decision.hpp"
#include "claim/ledger.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::claim {

struct Request {
    std::optional<std::string_view> fingerprint;
    std::optional<std::string_view> claimant;
};

// What the caller is told of the claim; nothing but the outcome where it is busy.
struct Answer {
    Decision decision;
    Standing standing;
    Time since;                    // when it came into its state
    std::optional<Datum> result;   // jsonb
    std::optional<Datum> claimant; // text
};

const char *outcome(Decision decision) noexcept;
// The claim is the caller's now.
bool is_won(Decision decision) noexcept;

// Claims the key, or says who has it. A key that is being claimed by a transaction in flight is
// waited for until the deadline. RB021 where the claim has another fingerprint.
Answer claim(store::Store &store, const Ledger &ledger, std::string_view key,
             const Request &request, const Deadline &deadline);

// The same for many keys within one deadline. They are taken in one order that all callers share,
// so that two batches never wait for each other in a ring; the answers are in the order of the
// keys.
std::vector<Answer> claim_keys(store::Store &store, const Ledger &ledger,
                               std::span<const std::string_view> keys, const Request &request,
                               const Deadline &deadline);

} // namespace arbiter::claim
