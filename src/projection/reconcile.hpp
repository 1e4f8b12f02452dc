// What should have been done is compared with what was.
#pragma once

#include <cstdint>
#include <string_view>

#include "pg/spi.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

struct Reconciled {
    std::int64_t checked; // effects that the reconciler missed
    std::int64_t repaired;
    std::int64_t failed; // debts now
};

// Asks the projection's reconciler what should exist and does not, and offers each of those events
// to the handler again. What the runner has not come to yet is not missing. Waits for a runner.
// 55000 where there is no reconciler here.
Reconciled reconcile(store::Store &store, std::string_view projection);

// What an outside process has found; detail is jsonb or null. 55000 unless the reconciler is
// 'external'.
void record_reconciliation(store::Store &store, std::string_view projection,
                           const Reconciled &reconciled, const pg::Value &detail);

} // namespace arbiter::projection
