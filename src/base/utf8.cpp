#include "base/utf8.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace arbiter {
namespace {

constexpr bool is_continuation(unsigned char octet) noexcept
{
    return (octet & 0xC0) == 0x80;
}

// The second octet's range is what excludes overlong forms, surrogates and the far end (Unicode
// table 3-7).
constexpr bool second_fits(unsigned char lead, unsigned char second) noexcept
{
    switch (lead) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return is_continuation(second);
    }
}

constexpr std::size_t sequence_size(unsigned char lead) noexcept
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

} // namespace

CodePoint first_code_point(std::string_view text) noexcept
{
    if (text.empty())
        return {0, 0};
    const auto *octets = reinterpret_cast<const unsigned char *>(text.data());
    const std::size_t size = sequence_size(octets[0]);
    if (size == 0 || size > text.size())
        return {0, 0};
    if (size == 1)
        return {octets[0], 1};
    if (!second_fits(octets[0], octets[1]))
        return {0, 0};
    char32_t value = octets[0] & (0x7F >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if (!is_continuation(octets[i]))
            return {0, 0};
        value = value << 6 | (octets[i] & 0x3F);
    }
    return {value, size};
}

CodePoint last_code_point(std::string_view text) noexcept
{
    if (text.empty())
        return {0, 0};
    std::size_t size = 1;
    while (size < 4 && size < text.size() &&
           is_continuation(static_cast<unsigned char>(text[text.size() - size])))
        ++size;
    const CodePoint point = first_code_point(text.substr(text.size() - size));
    return point.size == size ? point : CodePoint{0, 0};
}

std::size_t find_malformed_utf8(std::string_view text) noexcept
{
    std::size_t at = 0;
    while (at < text.size()) {
        // Names are mostly ASCII: eight octets in one look.
        std::uint64_t word;
        while (at + sizeof word <= text.size()) {
            std::memcpy(&word, text.data() + at, sizeof word);
            if ((word & 0x8080808080808080U) != 0)
                break;
            at += sizeof word;
        }
        if (at == text.size())
            break;
        const std::size_t size = first_code_point(text.substr(at)).size;
        if (size == 0)
            return at;
        at += size;
    }
    return kWellFormed;
}

void append_utf8(std::string &out, char32_t code_point)
{
    const auto put = [&out](char32_t octet) { out += static_cast<char>(octet); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | code_point >> 6);
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x10000) {
        put(0xE0 | code_point >> 12);
        put(0x80 | (code_point >> 6 & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else {
        put(0xF0 | code_point >> 18);
        put(0x80 | (code_point >> 12 & 0x3F));
        put(0x80 | (code_point >> 6 & 0x3F));
        put(0x80 | (code_point & 0x3F));
    }
}

std::string code_point_name(char32_t code_point)
{
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(code_point));
    return name;
}

} // namespace arbiter
