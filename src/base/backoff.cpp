#include "base/backoff.hpp"

namespace arbiter {

std::chrono::microseconds backoff(std::int64_t attempts, double chance) noexcept
{
    std::chrono::microseconds pause = kFirstPause;
    for (std::int64_t attempt = 1; attempt < attempts && pause < kLongestPause; ++attempt)
        pause *= 2;
    if (pause > kLongestPause)
        pause = kLongestPause;
    auto const half = pause / 2;
    return half + std::chrono::microseconds(
                      static_cast<std::int64_t>(chance * static_cast<double>(half.count())));
}

} // namespace arbiter
