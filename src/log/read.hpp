// Reading a stream: with the caller's snapshot, the caller's privileges and the caller's row
// security.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::log {

struct Range {
    std::optional<std::int64_t> from; // the first or, backwards, the last event if not given
    std::optional<std::int64_t> max_count;
    bool backwards;
};

// 22023 for a negative from or max_count. A stream that does not exist has no events.
void read_stream(store::Store &store, std::string_view stream, const Range &range,
                 pg::ResultSet &events);

// No row if there is no event, or none of that type.
void last_event(store::Store &store, std::string_view stream, std::optional<std::string_view> type,
                pg::ResultSet &events);

// kNoRevision if the stream does not exist.
std::int64_t stream_revision(store::Store &store, std::string_view stream);

} // namespace arbiter::log
