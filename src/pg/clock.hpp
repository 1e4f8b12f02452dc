// What time it is.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

// Now, not the start of the transaction; as a timestamptz datum.
Datum clock_timestamp() noexcept;

} // namespace arbiter::pg
