// A small strict reader of JSON (RFC 8259) for the documents that people and this library write:
// specs, vectors, arguments. Event payloads never pass through it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter {

struct Json {
    enum class Kind { null, boolean, number, string, array, object };
    Kind kind = Kind::null;
    bool boolean = false;
    std::string text;              // of a string: its value; of a number: as it was written
    std::vector<Json> items;       // of an array; of an object: its values
    std::vector<std::string> keys; // of an object: the key of each item, in the document's order

    bool is(Kind other) const noexcept { return kind == other; }
    const Json *find(std::string_view key) const noexcept;
};

inline constexpr std::size_t kMaxJsonDepth = 32;

// Throws 22023 naming the byte, and RB042 for what no PostgreSQL text can hold: U+0000 and
// surrogates that stand alone. A key that occurs twice is refused, since readers differ in which
// one they keep.
Json read_json(std::string_view document);

// "null", "boolean", "number", "string", "array", "object".
std::string_view kind_name(Json::Kind kind) noexcept;

} // namespace arbiter
