// The mark that a runner leaves while it commits batch after batch. Who finds the mark of a session
// that is gone knows that a batch ended with it, and that an event of that batch may be to blame.
#pragma once

#include <cstdint>

#include "projection/turn.hpp"

namespace arbiter::projection {

enum class Mark {
    not_needed,  // there is nothing to do
    left,        // to be committed before the first batch
    handed_over, // the streams of the batch in question are held back: each is tried on its own
};

Mark mark(Turn &turn, std::int64_t max_count);

} // namespace arbiter::projection
