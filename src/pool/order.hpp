// The order in which a pool's rows are handed out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sort_column.hpp"

namespace arbiter::pool {

// "priority DESC NULLS LAST, id": columns as SQL writes them, and nothing else. 22023 for what is
// no such list, or names a column twice.
std::vector<SortColumn> read_order(std::string_view text);

// As SQL, without what goes without saying: "priority" DESC NULLS LAST, "id".
std::string to_sql(const std::vector<SortColumn> &order);

} // namespace arbiter::pool
