// SQL for a person to read, and to run.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::pg {

// The same text without the quotes around names that need none, as the server itself decides it.
std::string readable(std::string_view sql);

} // namespace arbiter::pg
