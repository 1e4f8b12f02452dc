// The state of an entity, computed from its stream by a function of the caller's.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/expectation.hpp"
#include "pg/spi.hpp"
#include "store/store.hpp"

namespace arbiter::log {

struct Folded {
    Datum state; // jsonb
    std::int64_t head = kNoRevision;
};

// evolve(state jsonb, event arbiter.recorded_event) returns jsonb, from the first event to the
// last. The log's own events are no facts of the domain: they count for the head, evolve does not
// see them. 42883, 42501, 22004 as pg::CallerFunction.
Folded fold(store::Store &store, std::string_view stream, std::string_view evolve, Datum initial,
            pg::Sees sees);

} // namespace arbiter::log
