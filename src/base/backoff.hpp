// How long what has failed rests before its next attempt.
#pragma once

#include <chrono>
#include <cstdint>

namespace arbiter {

inline constexpr std::chrono::microseconds kFirstPause = std::chrono::seconds(1);
inline constexpr std::chrono::microseconds kLongestPause = std::chrono::minutes(10);

// Doubles with each attempt up to the cap. Of that, between half and all: what failed together
// should not come back together. attempts counts from 1, chance is from [0, 1).
std::chrono::microseconds backoff(std::int64_t attempts, double chance) noexcept;

} // namespace arbiter
