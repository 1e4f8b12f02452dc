#include "base/uuid.hpp"

#include <cstring>

namespace arbiter {
namespace {

constexpr bool hyphen_at(std::size_t position) noexcept
{
    return position == 8 || position == 13 || position == 18 || position == 23;
}

constexpr int hex_value(char c) noexcept
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// "000102…ff": ids are written once for each name that holds one.
struct HexPairs {
    constexpr HexPairs() noexcept : text()
    {
        for (std::size_t i = 0; i < 256; ++i) {
            text[2 * i] = "0123456789abcdef"[i >> 4];
            text[2 * i + 1] = "0123456789abcdef"[i & 0x0F];
        }
    }
    char text[512];
};
constexpr HexPairs kHexPairs;

} // namespace

std::optional<Uuid> parse_uuid(std::string_view text) noexcept
{
    if (text.size() != Uuid::kTextSize)
        return std::nullopt;
    Uuid uuid;
    std::size_t digit = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (hyphen_at(i)) {
            if (text[i] != '-')
                return std::nullopt;
            continue;
        }
        const int value = hex_value(text[i]);
        if (value < 0)
            return std::nullopt;
        std::uint8_t &octet = uuid.octets[digit / 2];
        octet = static_cast<std::uint8_t>(octet << 4 | value);
        ++digit;
    }
    return uuid;
}

void write_uuid(const Uuid &uuid, char *out) noexcept
{
    for (std::size_t i = 0; i < Uuid::kSize; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        std::memcpy(out, kHexPairs.text + std::size_t{2} * uuid.octets[i], 2);
        out += 2;
    }
}

std::string to_string(const Uuid &uuid)
{
    std::string text(Uuid::kTextSize, '\0');
    write_uuid(uuid, text.data());
    return text;
}

} // namespace arbiter
