// How far this session has found the feed to be settled.
#pragma once

#include <cstdint>

#include "pg/types.hpp"

struct SnapshotData;

namespace arbiter::feed {

// What is known to be settled behind `after`; 0 unless the snapshot sees all that was seen when
// that was found. Who asks twice is never told less the second time, however little can be found
// out then: readers rely on it who ask for the horizon, read, and go on from the horizon. (Of the
// last Ranges::kMost cursors from which it was asked.)
std::int64_t known_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after) noexcept;

// Everything from `after` to the horizon is settled; nothing is said of what is before.
void remember_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after,
                      std::int64_t horizon);

} // namespace arbiter::feed
