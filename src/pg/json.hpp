// Questions about jsonb values that the server already holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// Equal as jsonb compares: numbers by value, objects whatever the order of their keys.
bool json_equal(Datum left, Datum right);
bool json_is_object(Datum value);
Datum empty_json_object();

// Making values: a lone string or number, an object of given members, two objects in one (where
// both have a key, the right one speaks).
Datum json_string(std::string_view text);
Datum json_number(std::int64_t number);
struct JsonMember {
    std::string_view key;
    Datum value; // jsonb
};
Datum json_object(std::span<const JsonMember> members);
Datum json_merged(Datum left, Datum right);
// The object has that key.
bool json_has(Datum object, std::string_view key);

// As the server prints it, and read again.
std::string json_text(Datum value);
Datum json_from_text(std::string_view text);

} // namespace arbiter::pg
