// The sequence that positions come from.
#pragma once

#include "store/store.hpp"

namespace arbiter::store {

// 55000 unless what is drawn later is greater: the feed and the streams rest on it.
void require_order(const Store &store);

} // namespace arbiter::store
