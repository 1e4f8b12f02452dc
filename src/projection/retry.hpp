// Streams that were held back, tried again: what is left of one up to the cursor, in its order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "projection/batch.hpp"
#include "projection/held.hpp"
#include "projection/turn.hpp"

namespace arbiter::projection {

// The event that failed before on its own first. How many events were looked at.
std::int64_t catch_up(Turn &turn, Batch &batch, const Held &held, std::int64_t max_count);

// Where the caller commits in between, an attempt is counted before it is made, so that a handler
// which ends its session, or the server, is seen too.
struct Retry {
    Held held;
    std::int64_t revision; // counted
};

// Counts the attempt at the first event of the stream; to be committed. Nothing where none is left.
std::optional<Retry> count_retry(Turn &turn, std::string_view stream);

struct Retried {
    std::int64_t applied;
    std::int64_t failed;
    bool is_more; // to be counted and made at once
};
// Makes it. Where the attempt before did not end, one event at a time: any of them may have ended
// it.
Retried make_retry(Turn &turn, const Retry &retry, std::int64_t max_count);

} // namespace arbiter::projection
