// Streams that are held back: an event of theirs failed, so what follows waits. The cursor goes on
// without them; they come after it on their own, from their offset to the cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pg/spi.hpp"
#include "projection/offset.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// What stands in the place of an error until there is one.
inline constexpr std::string_view kDidNotEnd =
    "the attempt did not end: its session is still at it, or was lost";
inline constexpr std::string_view kWaitsForTheRest = "applied; the rest of its stream is due";

struct Held {
    std::string stream;
    std::int64_t applied; // its offset
    bool is_due;
    bool did_not_end; // the last attempt
};

// All that a projection holds back, those that have been due for longest first.
std::vector<Held> held_back(store::Store &store, std::string_view projection);
std::optional<Held> find_held(store::Store &store, const Place &place);

// Counts an attempt, be it that failed or is about to be made, and says when the next is due. How
// many there were.
std::int64_t hold_back(store::Store &store, const Place &place, std::int64_t revision,
                       std::string_view error);
// What came of an attempt that has been counted.
std::int64_t tell(store::Store &store, const Place &place, std::int64_t revision,
                  std::string_view error);
// No attempt yet; due now.
void hold_untried(store::Store &store, const Place &place, std::int64_t revision);

// The event stays recorded as a debt, and holds nothing back any more.
void owe(store::Store &store, const Place &place, std::int64_t revision);

// It is applied, and more of its stream is left; due now.
void keep_due(store::Store &store, const Place &place, std::string_view why);
// The stream has caught up with the cursor.
void let_go(store::Store &store, const Place &place);

} // namespace arbiter::projection
