// What becomes of a claim: only its present holder, known by the token, may say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "claim/ledger.hpp"
#include "claim/state.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::claim {

struct Settlement {
    std::string_view key;
    std::int64_t token;
    std::optional<Datum> result; // jsonb
};

// RB020 unless the token holds the claim and nothing has been settled; a lease that has lapsed
// without anybody having used it does not matter.
void settle(store::Store &store, const Ledger &ledger, const Settlement &settlement, State state);

// How one of many ended, and the claim as it is now.
struct Settled {
    bool is_settled;
    bool exists;
    Standing standing;
    std::optional<Datum> claimant; // text
};

// The same for many; what one has lost keeps no other from being settled. Answers in the order
// given.
std::vector<Settled> settle_keys(store::Store &store, const Ledger &ledger,
                                 std::span<const Settlement> settlements, State state);

// The end of the new lease. RB020 as above, and where the lease has lapsed; 55000 where the ledger
// gives none.
Time renew(store::Store &store, const Ledger &ledger, std::string_view key, std::int64_t token);

// A person takes the claim from whoever has it; the reason is recorded. The new token. 42704 where
// there is no claim, 55000 where it is done, 22023 for an empty reason.
std::int64_t force_takeover(store::Store &store, const Ledger &ledger, std::string_view key,
                            std::string_view reason);

} // namespace arbiter::claim
