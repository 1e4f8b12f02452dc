// Forgetting claims that are over, so that a ledger does not grow for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/duration.hpp"
#include "base/uuid.hpp"
#include "store/store.hpp"

namespace arbiter::claim {

// The digest that follows, nothing after the last.
std::optional<Uuid> successor(Uuid digest) noexcept;

// Digests are spread evenly, so the part of the ledger before one is its part of all digests.
inline constexpr std::int64_t kDigestShares = 65'536;
std::int64_t share_below(const Uuid &digest) noexcept;

// Looks at one batch of claims from a digest on, and removes those that were settled as done or
// failed longer ago than that. Where to go on; nothing at the end. Claims that are not settled, and
// those that wait for a person, stay.
std::optional<Uuid> prune_batch(store::Store &store, std::string_view ledger, const Uuid &from,
                                Duration older_than);

} // namespace arbiter::claim
