#include "identity/utf16_order.hpp"

#include <algorithm>
#include <cstddef>

namespace arbiter::identity {
namespace {

// Beyond the BMP, UTF-16 begins with a surrogate (D800–DFFF) and UTF-8 with F0–F4; U+E000–U+FFFF
// begin with EE or EF. Lifting these two above F4 puts them where UTF-16 has them. A continuation
// octet is never EE or EF, and inside one lead octet both encodings agree, so the first difference
// decides.
constexpr int utf16_rank(char c) noexcept
{
    const int octet = static_cast<unsigned char>(c);
    return octet == 0xEE || octet == 0xEF ? octet + 0x10 : octet;
}

} // namespace

int compare_utf16(std::string_view left, std::string_view right) noexcept
{
    const std::size_t common = std::min(left.size(), right.size());
    std::size_t at = 0;
    while (at < common && left[at] == right[at])
        ++at;
    if (at < common)
        return utf16_rank(left[at]) - utf16_rank(right[at]);
    return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
}

} // namespace arbiter::identity
