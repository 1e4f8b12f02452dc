// Positions: the order of the whole store, handed out by a sequence that only the log draws from.
#pragma once

#include <cstdint>

#include "log/head.hpp"
#include "store/store.hpp"

namespace arbiter::log {

// 55000 if the sequence has fallen behind the stream's last event (somebody set it back): position
// order must agree with revision order inside a stream; or if it does not hand out in order.
std::int64_t draw_position(const store::Store &store, const Head &head);

} // namespace arbiter::log
