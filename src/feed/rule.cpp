#include "feed/rule.hpp"

#include <algorithm>

namespace arbiter::feed {

std::optional<std::int64_t> first_undecided(const Evidence &evidence, Gap gap) noexcept
{
    // The last position there is has nothing above it that could be undecided.
    std::int64_t const beyond = evidence.handed_out == kNone ? kNone : evidence.handed_out + 1;
    std::int64_t const open = std::min(evidence.in_progress, beyond);
    if (gap.last <= evidence.settled || open > gap.last || gap.first > gap.last)
        return std::nullopt;
    return std::max({gap.first, evidence.settled + 1, open});
}

} // namespace arbiter::feed
