// Ledgers: what is claimed before it is done, under which policy.
#pragma once

#include <string_view>

#include "claim/decision.hpp"
#include "store/store.hpp"

namespace arbiter::claim {

struct Ledger {
    std::string_view name;
    Policy policy;
};

// For the calls that write claims: checks the caller's privileges on them (42501), refuses row
// security (0A000: whether a key is claimed cannot depend on who asks), locks the table as a
// writer, and only then looks the ledger up, so that drop_ledger has either ended or not begun.
// 42704 where there is none.
Ledger open(store::Store &store, std::string_view name);

enum class Made { created, existed };

// Identical again is `existed`, another definition is 42710. 22023 for a policy that makes no
// sense.
Made create(store::Store &store, std::string_view name, std::string_view takeover,
            const pg::Value &lease, const Policy &policy);
// From what the caller says: `never` without a lease, `after_lease` with one.
Policy policy_of(std::string_view takeover, std::optional<Duration> lease, bool durable);

// 2BP01 while it holds claims that are not settled, unless forced.
void drop(store::Store &store, std::string_view name, bool force);

} // namespace arbiter::claim
