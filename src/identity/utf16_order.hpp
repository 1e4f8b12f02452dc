// The order in which JavaScript, Java and C# sort strings, over UTF-8.
#pragma once

#include <string_view>

namespace arbiter::identity {

// By UTF-16 code unit: negative, zero or positive. It differs from the order by code point (= by
// octet, = COLLATE "C") only where U+E000–U+FFFF meet what lies beyond the BMP.
int compare_utf16(std::string_view left, std::string_view right) noexcept;

} // namespace arbiter::identity
