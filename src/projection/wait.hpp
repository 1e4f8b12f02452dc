// Waiting until a projection has come to an event.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/duration.hpp"
#include "pg/procedure.hpp"
#include "projection/offset.hpp"

namespace arbiter::projection {

// True once the effect of the revision is committed, or the projection has passed the event without
// having been shown it; false when the time is up. It waits where feed::wait_for_events does.
bool wait_for(pg::Procedure &procedure, std::string_view store, const Place &place,
              std::int64_t revision, Duration timeout);

} // namespace arbiter::projection
