// Ranges of positions that have been found to be settled, each in the sight of somebody.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace arbiter::feed {

template <typename Sight>
class Ranges {
public:
    // Which consumers of one session take turns with; who comes back after more others than that
    // has to find out again.
    static constexpr std::size_t kMost = 64;

    // The end of the furthest range that begins at or before `after` and lies within the sight; 0
    // if there is none.
    template <typename IsWithin>
    std::int64_t end_behind(std::int64_t after, IsWithin is_within) const
    {
        std::int64_t end = 0;
        for (const Range &range : ranges_)
            if (range.after <= after && range.end > end && is_within(range.sight))
                end = range.end;
        return end;
    }

    // Everything behind `after` up to `end`; one range with those it meets and whose sight it has.
    template <typename IsWithin>
    void add(std::int64_t after, std::int64_t end, Sight sight, IsWithin is_within)
    {
        std::erase_if(ranges_, [&](const Range &old) {
            bool const joins = old.after <= end && after <= old.end && is_within(old.sight);
            if (joins) {
                after = std::min(after, old.after);
                end = std::max(end, old.end);
            }
            return joins;
        });
        if (ranges_.size() == kMost)
            ranges_.erase(ranges_.begin());
        ranges_.push_back({after, end, std::move(sight)});
    }

    std::size_t size() const noexcept { return ranges_.size(); }

private:
    struct Range {
        std::int64_t after;
        std::int64_t end;
        Sight sight;
    };
    std::vector<Range> ranges_; // the latest last
};

} // namespace arbiter::feed
