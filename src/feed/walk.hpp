// From event to event in the order of the store, as far as it is settled.
#pragma once

#include <cstdint>

#include "feed/view.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::feed {

// 55000 on a primary if the sequence has not come there: a reader would wait for ever at what looks
// like a position not handed out yet.
void require_handed_out(const View &view, std::int64_t position, std::int64_t handed_out);

class Walk {
public:
    // `after` is a position known to be settled: a reader's cursor.
    Walk(View &view, std::int64_t after);

    // The next event; false at the end of what is settled.
    bool next();
    void add_to(pg::ResultSet &events) const;
    // Stands at that event.
    const pg::KeyOrderScan &scan() const noexcept { return scan_; }

    // Once next has said false: every position up to it is settled.
    std::int64_t horizon();

    // Before anything of it leaves: no crash may take it back.
    pg::Durability &durability() noexcept { return durability_; }

private:
    bool is_settled_up_to(std::int64_t position);

    View &view_;
    pg::KeyOrderScan scan_;
    pg::Durability durability_;
    std::int64_t event_;   // the last one's position
    std::int64_t settled_; // every position up to it is
    bool cut_ = false;
};

} // namespace arbiter::feed
