// The two ways to write an event, and the one place that chooses.
#pragma once

#include "store/store.hpp"

namespace arbiter::log {

// direct: straight into the heap and its indexes, where the table is nothing but what the store
// made. portable: an INSERT like any other, so that the user's own triggers, columns, defaults,
// constraints, rules and row security have their say.
enum class Path { direct, portable };

// 55000 where it would have to be an INSERT that the session lets no trigger judge.
Path choose_path(const store::Store &store);

} // namespace arbiter::log
