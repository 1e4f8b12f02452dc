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
    kReconcileEvery,
    kTypes,
    kCategory,
    kOwner,
};
inline constexpr pg::Column kProjectionColumns[] = {
    {"projection", pg::Type::text},
    {"kind", pg::Type::text},
    {"strict", pg::Type::boolean},
    {"max_attempts", pg::Type::bigint},
    {"handler", pg::Type::text},
    {"reconciler", pg::Type::text},
    {"reconcile_every", pg::Type::interval},
    {"types", pg::Type::text_array},
    {"category", pg::Type::text},
    {"owner", pg::Type::text},
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

enum CursorColumn : int { kCursorProjection = 1, kCursorPosition, kCursorMovedAt, kCursorRunner };
inline constexpr pg::Column kCursorColumns[] = {
    {"projection", pg::Type::text},
    {"position", pg::Type::bigint},
    {"moved_at", pg::Type::timestamptz},
    {"runner", pg::Type::bigint},
};
inline constexpr store::Table kCursors{.name = "projection_cursors",
                                       .columns = kCursorColumns,
                                       .key = "projection_cursors_pkey",
                                       .key_columns = {kCursorProjection}};

enum TakenColumn : int {
    kTakenProjection = 1,
    kTakenEntity,
    kTakenTo,
    kTakenToken,
    kTakenLease,
    kTakenLeaseUntil,
};
inline constexpr pg::Column kTakenColumns[] = {
    {"projection", pg::Type::text}, {"entity", pg::Type::text},
    {"taken_to", pg::Type::bigint}, {"token", pg::Type::bigint},
    {"lease", pg::Type::interval},  {"lease_until", pg::Type::timestamptz},
};
inline constexpr store::Table kTaken{.name = "taken_streams",
                                     .columns = kTakenColumns,
                                     .key = "taken_streams_pkey",
                                     .key_columns = {kTakenProjection, kTakenEntity}};

} // namespace arbiter::projection
