// How far the feed is settled, and recording it.
#pragma once

#include <cstdint>

#include "store/store.hpp"

namespace arbiter::feed {

// Every position up to it is settled in the sight of the calling statement, given that all up to
// `after` are.
std::int64_t horizon(store::Store &store, std::int64_t after);

// Records the horizon of this moment in the store, so that standbys and later readers need not find
// it out again.
void settle(store::Store &store);

// RB003 for a recorded horizon that would go back or run ahead of what is settled.
void guard_settled(store::Store &store, std::int64_t from, std::int64_t to);

} // namespace arbiter::feed
