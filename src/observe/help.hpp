// The documentation's short form, for who is in psql.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arbiter::observe {

// Lines: of all topics where none is named, of a topic, or of a call. 22023 where it is neither.
std::vector<std::string> help(std::string_view topic);

} // namespace arbiter::observe
