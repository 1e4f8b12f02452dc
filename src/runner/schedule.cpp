#include "runner/schedule.hpp"

#include <algorithm>

namespace arbiter::runner {

namespace {

Duration doubled(Duration first, int times, Duration longest)
{
    for (; times > 0 && first < longest; --times)
        first *= 2;
    return std::min(first, longest);
}

} // namespace

std::vector<Task> Schedule::due(const std::vector<Task> &wanted)
{
    Moment const now = clock_.now();
    for (auto &[statement, known] : known_)
        known.is_wanted = false;
    std::vector<Task> result;
    for (const Task &task : wanted) {
        Known &known = known_[task.statement];
        known.is_wanted = true;
        bool const has_moved = known.progress != task.progress;
        if (task.every == Duration::zero() && has_moved && known.errors == 0)
            known = {.progress = task.progress, .is_wanted = true};
        if (known.not_before <= now)
            result.push_back(task);
    }
    std::erase_if(known_, [&](const auto &entry) {
        const Known &known = entry.second;
        return !known.is_wanted && known.not_before <= now;
    });
    return result;
}

// Whether it came to something shows when it is wanted again.
void Schedule::did(const Task &task)
{
    Known &known = known_[task.statement];
    bool const in_vain = task.progress && known.progress == task.progress;
    known.in_vain = in_vain ? known.in_vain + 1 : 0;
    known.progress = task.progress;
    known.errors = 0;
    Duration const rest =
        task.every > Duration::zero()
            ? doubled(task.every, known.in_vain, std::max(task.every, kLongestInterval))
            : doubled(kFirstRest, known.in_vain, kLongestRest);
    known.not_before = clock_.now() + rest;
}

void Schedule::failed(const Task &task)
{
    Known &known = known_[task.statement];
    known.not_before =
        clock_.now() + doubled(kFirstRestAfterError, known.errors, kLongestRestAfterError);
    ++known.errors;
}

Duration Schedule::rest() const
{
    Moment const now = clock_.now();
    Duration least = kForever;
    for (const auto &[statement, known] : known_)
        if (known.is_wanted)
            least = std::min(least, std::max(known.not_before - now, Duration::zero()));
    return least;
}

} // namespace arbiter::runner
