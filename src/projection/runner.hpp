// One batch of a projection.
#pragma once

#include <cstdint>
#include <string_view>

#include "projection/turn.hpp"
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

// 22023 unless positive.
void check_max_count(std::int64_t max_count);

// In the caller's transaction: effects, offsets and cursor commit together. Looks at max_count
// events at most, first at those of streams held back that are due, then at what follows the
// cursor.
Ran run(store::Store &store, std::string_view projection, std::int64_t max_count);

// What follows the cursor alone, for a runner that has left its mark. It takes the mark back with
// the last batch.
Ran run_marked(Turn &turn, std::int64_t max_count);

} // namespace arbiter::projection
