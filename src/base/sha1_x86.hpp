// SHA-1 by the processor's own instructions, where it has them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/digest.hpp"

namespace arbiter {

// False on other architectures too.
bool has_sha1_x86() noexcept;

// Of whole blocks of 64 octets, padded by the caller. Only where has_sha1_x86().
Sha1 sha1_x86(const std::uint8_t *blocks, std::size_t count) noexcept;

} // namespace arbiter
