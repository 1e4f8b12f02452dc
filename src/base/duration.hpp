// Lengths of time, and moments until which a call may wait.
#pragma once

#include <chrono>
#include <cstdint>

namespace arbiter {

using Duration = std::chrono::microseconds;

// What no clock will ever show: no limit.
inline constexpr Duration kForever = Duration::max();

// Of an SQL interval: a month is 30 days, a day 24 hours. What does not fit is the nearest that
// does, so that 'infinity' is kForever.
Duration duration_of(std::int64_t months, std::int64_t days, std::int64_t microseconds) noexcept;

// Measured by the clock that nobody sets.
class Deadline {
public:
    explicit Deadline(Duration from_now) noexcept;
    bool passed() const noexcept { return remaining() == Duration::zero(); }
    // Never negative; kForever stays kForever.
    Duration remaining() const noexcept;
    Duration allowed() const noexcept { return allowed_; }

private:
    std::chrono::steady_clock::time_point const start_ = std::chrono::steady_clock::now();
    Duration const allowed_;
};

} // namespace arbiter
