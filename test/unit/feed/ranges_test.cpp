#include "feed/ranges.hpp"

#include <gtest/gtest.h>

using arbiter::feed::Ranges;

namespace {

// A sight is the moment it was had; a later one has all of it.
using Moment = int;
auto within(Moment now)
{
    return [now](Moment then) { return then <= now; };
}

} // namespace

TEST(FeedRanges, WhatMeetsBecomesOne)
{
    Ranges<Moment> ranges;
    ranges.add(0, 5, 1, within(1));
    ranges.add(5, 9, 2, within(2));
    ranges.add(20, 30, 3, within(3));
    EXPECT_EQ(ranges.size(), 2U);
    EXPECT_EQ(ranges.end_behind(0, within(3)), 9);
    EXPECT_EQ(ranges.end_behind(12, within(3)), 9);
    EXPECT_EQ(ranges.end_behind(25, within(3)), 30);
}

TEST(FeedRanges, AnEarlierSightIsToldNothingOfLater)
{
    Ranges<Moment> ranges;
    ranges.add(0, 5, 1, within(1));
    ranges.add(3, 9, 2, within(2));
    EXPECT_EQ(ranges.end_behind(0, within(1)), 0);
    ranges.add(0, 4, 1, within(1)); // by an older snapshot: joins nothing
    EXPECT_EQ(ranges.end_behind(0, within(1)), 4);
    EXPECT_EQ(ranges.end_behind(0, within(2)), 9);
}

// A consumer that goes on from an event beyond the horizon it was told makes a new range each time.
TEST(FeedRanges, AreForgottenBeforeTheyAreTooMany)
{
    Ranges<Moment> ranges;
    for (Moment now = 1; now <= 1000; ++now) {
        ranges.add(10 * now, 10 * now + 5, now, within(now));
        EXPECT_EQ(ranges.end_behind(10 * now, within(now)), 10 * now + 5);
    }
    EXPECT_EQ(ranges.size(), Ranges<Moment>::kMost);
}
