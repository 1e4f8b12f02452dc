// RFC 9562 version 5: a name inside a namespace, hashed to an id.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/digest.hpp"
#include "base/uuid.hpp"

namespace arbiter {

// A name is what one entity is called, not a document.
inline constexpr std::size_t kMaxNameSize = std::size_t{1024} * 1024;

// Hashes the namespace's sixteen octets followed by the name's.
Uuid uuid_v5(const Uuid &name_space, std::string_view name);

// The last step alone: the first sixteen octets of a digest, with version and variant written over
// them.
Uuid uuid_v5(const Sha1 &digest) noexcept;

} // namespace arbiter
