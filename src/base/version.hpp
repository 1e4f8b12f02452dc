// Versions of the extension, by their numbers.
#pragma once

#include <string_view>

namespace arbiter {

// 0.9.1 is older than 0.10; what stands behind the numbers does not count.
bool is_older(std::string_view version, std::string_view other);

} // namespace arbiter
