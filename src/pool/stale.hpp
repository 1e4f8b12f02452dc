// Rows that somebody took and did not come back for.
#pragma once

#include <cstdint>

#include "base/duration.hpp"
#include "pool/pool.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::pool {

// Gives up to max_count rows back that have been owned for that long; rows that are in use are
// passed over. Rows: key, outcome (returned, failed), error. A row that cannot be given back does
// not count, and holds up no other. The schema is the store's, for who watches.
void return_stale(Pool &pool, Oid schema, Duration older_than, std::int64_t max_count,
                  pg::ResultSet &rows);

} // namespace arbiter::pool
