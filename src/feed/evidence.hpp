// The evidence of a statement: gathered once, and kept for its rest.
#pragma once

#include <cstdint>

#include "store/store.hpp"

struct SnapshotData;

namespace arbiter::feed {

// As in Evidence.
struct Gathered {
    std::int64_t handed_out;
    std::int64_t in_progress;
    std::uint64_t logged_at; // where the log of the server has what was handed out
};

// On a primary, for whoever reads with that snapshot. Gaps that were undecided stay so until the
// statement ends: a horizon that grew while a query asks for it row by row would refuse an event
// and admit a later one.
Gathered gather(store::Store &store, const SnapshotData *sight);

} // namespace arbiter::feed
