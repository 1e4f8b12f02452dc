// Which missing positions may still appear: the rule of the feed, and nothing else.
// doc/design/feed.md says why it holds.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace arbiter::feed {

inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

// Positions from first to last, both included, at which the reader sees no event.
struct Gap {
    std::int64_t first;
    std::int64_t last;
};

// What is known when a gap is judged. Gathered in this order, or it proves nothing.
struct Evidence {
    std::int64_t settled;     // recorded: no event will appear at or below it
    std::int64_t handed_out;  // the last position that anybody has drawn
    std::int64_t in_progress; // the lowest that an open transaction may have drawn; kNone if none
};

// The first position of the gap at which an event may still appear. Those before it are dead: who
// drew them has rolled back, or what stood there was removed.
std::optional<std::int64_t> first_undecided(const Evidence &evidence, Gap gap) noexcept;

} // namespace arbiter::feed
