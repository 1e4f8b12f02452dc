#include "feed/rule.hpp"

#include <gtest/gtest.h>

using namespace arbiter::feed;

namespace {
constexpr auto kNobody = std::nullopt;
}

TEST(FeedRule, WhatNobodyCanHoldIsDead)
{
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 9, .in_progress = kNone}, {1, 9}),
              kNobody);
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 9, .in_progress = 6}, {3, 5}), kNobody);
}

TEST(FeedRule, WhatIsNotHandedOutIsUndecided)
{
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 4, .in_progress = kNone}, {3, 9}), 5);
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 4, .in_progress = kNone}, {7, 9}), 7);
}

TEST(FeedRule, FromTheLowestInProgressOnAllIsUndecided)
{
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 9, .in_progress = 6}, {3, 9}), 6);
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 9, .in_progress = 6}, {8, 9}), 8);
}

TEST(FeedRule, WhoHasDrawnAndSaidNothingMayHoldAny)
{
    constexpr Evidence kUnannounced{
        .settled = 2, .handed_out = 9, .in_progress = std::numeric_limits<std::int64_t>::min()};
    EXPECT_EQ(first_undecided(kUnannounced, {1, 9}), 3);
    EXPECT_EQ(first_undecided(kUnannounced, {1, 2}), kNobody);
}

TEST(FeedRule, WhatIsRecordedAsSettledStays)
{
    EXPECT_EQ(first_undecided({.settled = 7, .handed_out = 9, .in_progress = 6}, {3, 7}), kNobody);
    EXPECT_EQ(first_undecided({.settled = 7, .handed_out = 9, .in_progress = 6}, {3, 9}), 8);
}

TEST(FeedRule, AStandbyKnowsOnlyWhatIsRecorded)
{
    constexpr Evidence kStandby{.settled = 4, .handed_out = kNone, .in_progress = 5};
    EXPECT_EQ(first_undecided(kStandby, {2, 4}), kNobody);
    EXPECT_EQ(first_undecided(kStandby, {2, kNone}), 5);
    EXPECT_EQ(first_undecided(kStandby, {6, 8}), 6);
}

TEST(FeedRule, NothingIsUndecidedInNoGap)
{
    EXPECT_EQ(first_undecided({.settled = 0, .handed_out = 0, .in_progress = 1}, {1, 0}), kNobody);
}
