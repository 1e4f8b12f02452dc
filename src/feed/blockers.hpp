// Who holds the feed back.
#pragma once

#include "store/store.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::feed {

// The transactions that may have drawn the first position that is not settled.
void add_blockers(store::Store &store, pg::ResultSet &blockers);

} // namespace arbiter::feed
