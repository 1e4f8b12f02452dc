// UTF-8, strictly: no overlong form, no surrogate (so no CESU-8), nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbiter {

inline constexpr std::size_t kWellFormed = std::string_view::npos;

// Offset of the first octet that begins no well-formed sequence, or kWellFormed.
std::size_t find_malformed_utf8(std::string_view text) noexcept;

struct CodePoint {
    char32_t value;
    std::size_t size; // octets taken; 0 where no well-formed sequence begins
};

CodePoint first_code_point(std::string_view text) noexcept;
CodePoint last_code_point(std::string_view text) noexcept;

void append_utf8(std::string &out, char32_t code_point);

// "U+00E9", as messages name it.
std::string code_point_name(char32_t code_point);

} // namespace arbiter
