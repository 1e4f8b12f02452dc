// SHA-1 and SHA-256 by OpenSSL, at the price of the hashing alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter {

using Sha1 = std::array<std::uint8_t, 20>;
using Sha256 = std::array<std::uint8_t, 32>;

// Both hash the concatenation head ‖ tail.
Sha1 sha1(std::string_view head, std::string_view tail = {}) noexcept;
Sha256 sha256(std::string_view head, std::string_view tail = {}) noexcept;

// Lower-case hexadecimal.
std::string to_hex(std::string_view octets);
std::string to_hex(const Sha256 &digest);

} // namespace arbiter
