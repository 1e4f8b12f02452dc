// Handing out the rows of a pool, holding one, giving it back.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/duration.hpp"
#include "pg/types.hpp"
#include "pool/pool.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::pool {

// Up to max_count free rows in the pool's order, now the owner's. Rows that somebody has locked are
// passed over; with a key-share lock, as of a row that refers to them, they are not. 22023 for an
// empty owner and a count below 1.
void allocate(Pool &pool, std::string_view owner, std::int64_t max_count, pg::ResultSet &rows);

// Locks the row to the end of the transaction. RB020 unless the token holds it. touch counts
// `since` anew.
void hold(Pool &pool, std::string_view key, std::int64_t token, bool touch);

// Nobody's again, and free after that time. RB020 as above.
void release(Pool &pool, std::string_view key, std::int64_t token, Duration retry_after);

// Takes the row from whoever has it; the new token. 42704 where there is none.
std::int64_t reassign(store::Store &store, Pool &pool, std::string_view key,
                      std::string_view new_owner, std::optional<std::string_view> reason);

} // namespace arbiter::pool
