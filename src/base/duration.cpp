#include "base/duration.hpp"

#include <algorithm>

namespace arbiter {

namespace {

using Wide = __int128;
constexpr Wide kDay = Wide{24} * 60 * 60 * 1000 * 1000;
constexpr Wide kMonth = 30 * kDay;

} // namespace

Duration duration_of(std::int64_t months, std::int64_t days, std::int64_t microseconds) noexcept
{
    Wide const exact = months * kMonth + days * kDay + microseconds;
    return Duration(static_cast<std::int64_t>(
        std::clamp(exact, Wide{Duration::min().count()}, Wide{Duration::max().count()})));
}

Deadline::Deadline(Duration from_now) noexcept : allowed_(from_now) {}

Duration Deadline::remaining() const noexcept
{
    if (allowed_ == kForever)
        return kForever;
    auto const elapsed =
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_);
    return std::max(allowed_ - elapsed, Duration::zero());
}

} // namespace arbiter
