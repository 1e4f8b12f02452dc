// The natural key behind a stream's name. A derived name announces no collision, so the key is
// written down with the first event and compared with every later one.
#pragma once

#include <string_view>

#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::command {

inline constexpr std::string_view kKeyMember = "$key"; // of an event's metadata

enum class Key { on_record, unknown };

// Whether the stream has a key on record: then it is this one, or RB043. None is on record where
// the stream is new, was written without a key, or its first events were truncated or redacted.
Key check_key(store::Store &store, std::string_view stream, Datum key);

} // namespace arbiter::command
