// Sixteen octets in network order, and the one spelling of them that we read and write.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter {

// Laid out like the server's uuid datum, so that the shells may copy one into the other.
struct Uuid {
    static constexpr std::size_t kSize = 16;
    static constexpr std::size_t kTextSize = 36;

    std::array<std::uint8_t, kSize> octets{};

    friend constexpr auto operator<=>(const Uuid &, const Uuid &) = default;
};

// Strict 8-4-4-4-12 hexadecimal in either case: the server's own input also takes braces and
// misplaced hyphens, which other runtimes read differently or not at all.
std::optional<Uuid> parse_uuid(std::string_view text) noexcept;

// Lower case; writes exactly kTextSize characters.
void write_uuid(const Uuid &uuid, char *out) noexcept;
std::string to_string(const Uuid &uuid);

} // namespace arbiter
