// The long poll.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/duration.hpp"
#include "pg/procedure.hpp"

namespace arbiter::feed {

// True once there is a settled event after that position, false when the time is up. Outside a
// transaction block no snapshot is held meanwhile. Where others could be waiting for this
// transaction, or its snapshot never moves, it looks once and says so in a NOTICE.
bool wait_for_events(pg::Procedure &procedure, std::string_view store, std::int64_t after,
                     Duration timeout);

} // namespace arbiter::feed
