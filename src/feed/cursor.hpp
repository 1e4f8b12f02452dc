// Named cursors: how far a consumer of the feed has read. They never move backwards.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::feed {

// Where the cursor stands afterwards: further on, if another process of the consumer was faster.
// 22023 for an empty name or a position that has not been handed out.
std::int64_t save_cursor(store::Store &store, std::string_view consumer, std::int64_t position);

// 0 if it has never been saved.
std::int64_t cursor(store::Store &store, std::string_view consumer);

// RB003 for a cursor that would move backwards or change its name.
void guard_cursor(std::string_view store, bool same_consumer, std::int64_t from, std::int64_t to);

} // namespace arbiter::feed
