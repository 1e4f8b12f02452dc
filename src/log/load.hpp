// Loading a stream in order to write to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/duration.hpp"
#include "store/store.hpp"

namespace arbiter::pg {
class ResultSet;
}

namespace arbiter::log {

struct LoadOptions {
    std::optional<Duration> lock_within; // do not lock if not given
    std::int64_t from_revision;
};

// Takes the entity lock of the stream's name, and only then a snapshot: what the last holder has
// committed is in it (READ COMMITTED). Each row carries the stream's last revision; where there is
// no event to show, one row has nothing else. 55P03 as lock_entity, 22023 for a negative
// from_revision.
void load_stream(store::Store &store, std::string_view stream, const LoadOptions &options,
                 pg::ResultSet &events);

} // namespace arbiter::log
