// Keeps tokens honest against whoever writes the table by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::pool {

// RB003 where the owner changes without a larger token, or the token becomes smaller: whoever held
// the row before could not be told from who holds it now.
void guard_change(std::string_view store, std::string_view pool, bool same_owner,
                  std::optional<std::int64_t> from, std::optional<std::int64_t> to);

} // namespace arbiter::pool
