// Streams that are held back: an event of theirs failed, so what follows waits. The cursor goes on
// without them; they come after it on their own, from their offset to the cursor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pg/spi.hpp"
#include "projection/offset.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

struct Held {
    std::string stream;
    std::int64_t applied; // its offset
    bool is_due;
};

// All that a projection holds back, those that have been due for longest first.
std::vector<Held> held_back(store::Store &store, std::string_view projection);

// Counts an attempt that failed and says when the next is due. How many there were.
std::int64_t hold_back(store::Store &store, const Place &place, std::int64_t revision,
                       std::string_view error);

// The event stays recorded as a debt, and holds nothing back any more.
void owe(store::Store &store, const Place &place, std::int64_t revision);

// The stream has caught up with the cursor.
void let_go(store::Store &store, const Place &place);

} // namespace arbiter::projection
