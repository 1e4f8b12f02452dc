// The tables of this noun that are read and written straight; their SQL is in src/store/steps/.
#pragma once

#include "store/store.hpp"

namespace arbiter::projection {

enum ProjectionColumn : int {
    kName = 1,
    kKind,
    kStrict,
    kMaxAttempts,
    kHandler,
    kReconciler,
};
inline constexpr pg::Column kProjectionColumns[] = {
    {"projection", pg::Type::text},     {"kind", pg::Type::text},    {"strict", pg::Type::boolean},
    {"max_attempts", pg::Type::bigint}, {"handler", pg::Type::text}, {"reconciler", pg::Type::text},
};
inline constexpr store::Table kProjections{.name = "projections",
                                           .columns = kProjectionColumns,
                                           .key = "projections_pkey",
                                           .key_columns = {kName}};

enum OffsetColumn : int { kOffsetProjection = 1, kOffsetEntity, kOffsetRevision };
inline constexpr pg::Column kOffsetColumns[] = {
    {"projection", pg::Type::text},
    {"entity", pg::Type::text},
    {"revision", pg::Type::bigint},
};
inline constexpr store::Table kOffsets{.name = "offsets",
                                       .columns = kOffsetColumns,
                                       .key = "offsets_pkey",
                                       .key_columns = {kOffsetProjection, kOffsetEntity}};

} // namespace arbiter::projection
