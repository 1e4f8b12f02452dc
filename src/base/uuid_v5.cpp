#include "base/uuid_v5.hpp"

#include <algorithm>
#include <string>

#include "base/failure.hpp"

namespace arbiter {

Uuid uuid_v5(const Uuid &name_space, std::string_view name)
{
    if (name.size() > kMaxNameSize)
        throw Failure(sqlstate::kProgramLimitExceeded,
                      "name of " + std::to_string(name.size()) + " bytes is too long for an id", {},
                      "The limit is " + std::to_string(kMaxNameSize) + " bytes.");
    return uuid_v5(
        sha1({reinterpret_cast<const char *>(name_space.octets.data()), name_space.octets.size()},
             name));
}

Uuid uuid_v5(const Sha1 &digest) noexcept
{
    Uuid uuid;
    std::copy_n(digest.begin(), Uuid::kSize, uuid.octets.begin());
    uuid.octets[6] = static_cast<std::uint8_t>((uuid.octets[6] & 0x0F) | 0x50);
    uuid.octets[8] = static_cast<std::uint8_t>((uuid.octets[8] & 0x3F) | 0x80);
    return uuid;
}

} // namespace arbiter
