// The next events of a projection without a handler, for one of its workers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "pg/spi.hpp"
#include "projection/take.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// Takes streams that no other worker has, and emits the rows (arbiter.taken_event, in the order of
// positions) of at most max_count events of theirs; views live during the call. 55000 where the
// projection is driven otherwise, 22023 where a lease is given that means nothing, or is missing.
void hand_out(store::Store &store, std::string_view projection, std::int64_t max_count,
              const std::optional<Lease> &lease,
              const std::function<void(const pg::Rows &, std::uint64_t row)> &emit);

} // namespace arbiter::projection
