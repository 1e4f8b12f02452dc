#include "shard/shard.hpp"

#include "base/digest.hpp"

namespace arbiter::shard {

namespace {

std::uint64_t key_of(std::string_view stream) noexcept
{
    Sha256 const digest = sha256(stream);
    std::uint64_t key = 0;
    for (int i = 0; i < 8; ++i)
        key = key << 8 | digest[static_cast<std::size_t>(i)];
    return key;
}

} // namespace

std::int64_t shard_of(std::string_view stream, std::int64_t shards) noexcept
{
    // The paper's generator and its division in double precision: IEEE 754 gives every machine the
    // same quotient, as long as nobody rewrites the order of these operations.
    std::uint64_t state = key_of(stream);
    std::int64_t shard = 0;
    for (std::int64_t next = 0; next < shards;) {
        shard = next;
        state = state * 2862933555777941757U + 1;
        double const spread =
            static_cast<double>(std::int64_t{1} << 31) / static_cast<double>((state >> 33) + 1);
        next = static_cast<std::int64_t>(static_cast<double>(shard + 1) * spread);
    }
    return shard;
}

} // namespace arbiter::shard
