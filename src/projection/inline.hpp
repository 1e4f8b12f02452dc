// Projections whose handlers run in the transaction of whoever writes an event.
#pragma once

#include <cstdint>
#include <string_view>

#include "pg/types.hpp"
#include "shared/progress.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// An event that a statement has just written.
struct Written {
    std::string_view stream;
    std::int64_t revision;
    std::string_view type;
    Datum metadata;
    Datum row; // arbiter.recorded_event
};

// Shows it to the store's inline projections, in the order of their names. What a handler raises is
// the writer's error. Each runs with the rights of its owner, who has put it in the way of all
// writers; they need none but those to write events.
void apply_inline(store::Store &store, const Written &event);

// Waits for writers in flight and keeps others out until the end of the transaction: from then on
// the log is what an inline projection has been shown. 42501 for who does not own events.
void lock_out_writers(const store::Store &store);

// Shows the projection what it has not been shown, in the order of positions. Writers are locked
// out.
void catch_up(store::Store &store, std::string_view name, shared::LongCall call);
} // namespace arbiter::projection
