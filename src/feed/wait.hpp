// The long poll.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/duration.hpp"
#include "pg/procedure.hpp"

namespace arbiter::feed {

// Whether a procedure may sleep. Not where others could be waiting for this transaction, or its
// snapshot never moves; a NOTICE says so.
bool may_wait(const pg::Procedure &procedure, const char *call);

// True once there is a settled event after that position, false when the time is up. Outside a
// transaction block no snapshot is held meanwhile. Where it may not
// wait, it looks once.
bool wait_for_events(pg::Procedure &procedure, std::string_view store, std::int64_t after,
                     Duration timeout);

} // namespace arbiter::feed
