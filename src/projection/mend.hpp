// What a person does about a projection: tries again, decides, begins anew.
#pragma once

#include <cstdint>
#include <string_view>

#include "projection/offset.hpp"
#include "projection/runner.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// Streams held back and debts, whether due or not, in this transaction: at most that many events.
Ran retry_failures(store::Store &store, std::string_view projection, std::int64_t max_count);

// The effect of this event will not come from the handler any more: the stream goes on behind it,
// or the debt is forgotten, and who decided so and why is kept. False where there is no such
// failure or debt (any more).
bool resolve(store::Store &store, const Place &place, std::int64_t revision,
             std::string_view reason);

// Forgets offsets, failures, debts and the cursor, so that everything is applied again. Waits for a
// runner. Emptying the read model in the same transaction is the caller's.
void rebuild(store::Store &store, std::string_view projection);

} // namespace arbiter::projection
