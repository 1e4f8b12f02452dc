// Claiming many keys in one call.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "claim/claim.hpp"

namespace arbiter::claim {

// As claim, key by key, in one order that all callers share, so that two batches never wait for
// each other in a ring; all within one deadline. The answers are in the order of the keys.
std::vector<Answer> claim_keys(store::Store &store, const Ledger &ledger,
                               std::span<const std::string_view> keys, const Request &request,
                               const Deadline &deadline);

} // namespace arbiter::claim
