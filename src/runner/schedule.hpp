// When a runner does what is wanted of it. Knows no server, and no clock but the one it is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/duration.hpp"

namespace arbiter::runner {

using Moment = std::chrono::time_point<std::chrono::steady_clock, Duration>;

class Clock {
public:
    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;
    virtual Moment now() const = 0;
};

// What is wanted as long as a look at the database says so.
struct Task {
    std::string statement;
    // Moves with what was done about it. Where it did not, somebody else is at it, or something is
    // in the way. Nothing where that cannot be told.
    std::optional<std::int64_t> progress{};
    // Not more often than this, even where it went well. Zero: again at once.
    Duration every = Duration::zero();
};

// A commit wakes the runner a moment before it has let go of everything, so it looks again soon.
inline constexpr Duration kFirstRest = std::chrono::milliseconds(1);
inline constexpr Duration kLongestRest = std::chrono::milliseconds(100);
inline constexpr Duration kFirstRestAfterError = std::chrono::seconds(1);
inline constexpr Duration kLongestRestAfterError = std::chrono::minutes(1);
// Of a task with an interval that comes to nothing.
inline constexpr Duration kLongestInterval = std::chrono::minutes(1);

class Schedule {
public:
    explicit Schedule(const Clock &clock) : clock_(clock) {}

    // Of the tasks that are wanted, those to be done now, in their order. One that is not wanted
    // any more is forgotten, unless it failed: it may be back at once.
    std::vector<Task> due(const std::vector<Task> &wanted);
    void did(const Task &task);
    void failed(const Task &task);
    // Until one of those wanted is to be done; kForever if there is none.
    Duration rest() const;

private:
    struct Known {
        Moment not_before{};
        std::optional<std::int64_t> progress{};
        int in_vain = 0;
        int errors = 0;
        bool is_wanted = false;
    };

    const Clock &clock_;
    std::map<std::string, Known, std::less<>> known_;
};

} // namespace arbiter::runner
