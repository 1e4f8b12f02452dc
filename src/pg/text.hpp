// Text in the server's form, looked at from outside src/pg/.
#pragma once

#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// Lives as long as the datum; where that is compressed or stored elsewhere, as long as the call.
std::string_view text_view(Datum text);

} // namespace arbiter::pg
