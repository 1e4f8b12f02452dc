// How far this session has found the feed to be settled.
#pragma once

#include <cstdint>

#include "pg/types.hpp"

struct SnapshotData;

namespace arbiter::feed {

// 0 unless the snapshot sees all that was seen when that was found.
std::int64_t known_horizon(Oid sequence, const SnapshotData *sight) noexcept;
void remember_horizon(Oid sequence, const SnapshotData *sight, std::int64_t horizon);

} // namespace arbiter::feed
