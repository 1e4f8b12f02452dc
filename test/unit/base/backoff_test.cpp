#include "base/backoff.hpp"

#include <limits>

#include <gtest/gtest.h>

using arbiter::backoff;
using arbiter::kFirstPause;
using arbiter::kLongestPause;

namespace {
constexpr double kAlmostOne = 0.999999;
}

TEST(Backoff, DoublesFromTheFirstPause)
{
    auto expected = kFirstPause;
    for (int attempts = 1; attempts <= 9; ++attempts, expected *= 2) {
        EXPECT_EQ(backoff(attempts, 0.0), expected / 2);
        EXPECT_GT(backoff(attempts, kAlmostOne), expected * 99 / 100);
        EXPECT_LE(backoff(attempts, kAlmostOne), expected);
    }
}

TEST(Backoff, NeverExceedsTheLongestPause)
{
    for (std::int64_t attempts : {11L, 100L, std::numeric_limits<std::int64_t>::max()}) {
        EXPECT_EQ(backoff(attempts, 0.0), kLongestPause / 2);
        EXPECT_LE(backoff(attempts, kAlmostOne), kLongestPause);
    }
}

TEST(Backoff, SpreadsWhatFailedTogether)
{
    EXPECT_LT(backoff(3, 0.2), backoff(3, 0.8));
}

TEST(Backoff, RestsAtLeastAMomentWhateverTheCount)
{
    for (std::int64_t attempts : {0L, -1L, std::numeric_limits<std::int64_t>::min()})
        EXPECT_EQ(backoff(attempts, 0.0), kFirstPause / 2);
}
