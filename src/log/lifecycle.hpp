// The only ways in which history changes. Each leaves an event that says what was done, by whom and
// why, and answers with that event's revision; done before, the answer is the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::log {

// RB001 if there is no such stream; 22023 without a reason. A closed stream stays closed under the
// other two: they repeat the closing event behind theirs.

std::int64_t close_stream(store::Store &store, std::string_view stream, std::string_view reason);

// Deletes the events before that revision. 22023 if it is not in the stream or right behind it;
// 55000 where the governor still needs one of them.
std::int64_t truncate_stream(store::Store &store, std::string_view stream, std::int64_t before,
                             std::string_view reason);

// Empties data and metadata of one event; its place, type and id stay. 42704 if there is no such
// event, RB003 for one of the log's own.
std::int64_t redact(store::Store &store, std::string_view stream, std::int64_t revision,
                    std::string_view reason);

} // namespace arbiter::log
