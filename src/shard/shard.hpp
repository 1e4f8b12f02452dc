// Which of n databases holds a stream: a hash that is never changed, since data lies where it said.
#pragma once

#include <cstdint>
#include <string_view>

namespace arbiter::shard {

inline constexpr std::int64_t kMaxShards = 2147483647; // what the paper's hash can tell apart

// 0 to shards - 1. The first eight octets of the name's SHA-256, big-endian, are the key of Lamping
// and Veach's jump consistent hash: with one shard more, a stream stays where it is or moves to the
// new one. shards is at least 1.
std::int64_t shard_of(std::string_view stream, std::int64_t shards) noexcept;

} // namespace arbiter::shard
