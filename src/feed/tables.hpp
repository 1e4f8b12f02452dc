// The feed's tables, as their format step made them.
#pragma once

#include "store/store.hpp"

namespace arbiter::feed {

inline constexpr pg::Column kFeedColumns[] = {{"singleton", pg::Type::boolean},
                                              {"settled", pg::Type::bigint}};
enum FeedColumn : int { kSingleton = 1, kSettled };
enum CursorColumn : int { kConsumer = 1, kPosition };
inline constexpr store::Table kFeed{"feed", kFeedColumns, "feed_pkey", {kSingleton}};

} // namespace arbiter::feed
