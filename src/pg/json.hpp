// Questions about jsonb values that the server already holds.
#pragma once

#include <string>
#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// Equal as jsonb compares: numbers by value, objects whatever the order of their keys.
bool json_equal(Datum left, Datum right);
bool json_is_object(Datum value);
Datum empty_json_object();

// As the server prints it, and read again.
std::string json_text(Datum value);
Datum json_from_text(std::string_view text);

} // namespace arbiter::pg
