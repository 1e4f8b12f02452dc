// A turn of a runner: one batch of a projection, in the caller's transaction.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::projection {

struct Ran {
    bool is_busy = false; // another runner has the projection; nothing was done
    std::int64_t applied = 0;
    std::int64_t failed = 0;
    std::int64_t held_back = 0; // streams, afterwards
    std::int64_t position = 0;  // of the cursor, afterwards
    bool is_caught_up = false;
};

// Looks at max_count events at most: first at those of streams held back whose time has come, then
// at what follows the cursor. Effects, offsets and cursor are of one transaction. Runs with the
// rights of the projection's owner, which the caller must have. 42704, 42501, 55000.
Ran run(store::Store &store, std::string_view projection, std::int64_t max_count);

} // namespace arbiter::projection
