// Drawing from a sequence.
#pragma once

#include <cstdint>

#include "pg/types.hpp"

namespace arbiter::pg {

// Asks for no privilege on the sequence: who may insert may have a position. Overwrites lastval().
std::int64_t next_value(Oid sequence);

} // namespace arbiter::pg
