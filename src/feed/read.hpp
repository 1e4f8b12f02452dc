// Reading the store in the order of positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::feed {

// 22023 for a negative one, and for the last number there is, behind which nothing can come.
void check_cursor(std::int64_t after);

struct Filter {
    pg::Value types; // text[], or null for all
    std::optional<std::string_view> category;
};

// Events after a position that a reader has reached, up to the first that is not settled. 55000 on
// a primary whose sequence has not come to that position yet.
void read(store::Store &store, std::int64_t after, std::int64_t max_count, const Filter &filter,
          pg::ResultSet &events);

// There is one.
bool has_next(store::Store &store, std::int64_t after);

} // namespace arbiter::feed
