// Questions about jsonb values that the server already holds.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

// Equal as jsonb compares: numbers by value, objects whatever the order of their keys.
bool json_equal(Datum left, Datum right);
bool json_is_object(Datum value);

} // namespace arbiter::pg
