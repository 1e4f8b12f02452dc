#include "base/duration.hpp"

#include <limits>

#include <gtest/gtest.h>

using namespace arbiter;
using namespace std::chrono_literals;

TEST(Duration, CountsMonthsAsThirtyDays)
{
    EXPECT_EQ(duration_of(0, 0, 5), 5us);
    EXPECT_EQ(duration_of(1, 1, 0), 31 * 24h);
    EXPECT_EQ(duration_of(1, -31, 0), -24h);
}

TEST(Duration, NeverOverflows)
{
    constexpr auto kInt = std::numeric_limits<std::int32_t>::max();
    constexpr auto kBig = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(duration_of(kInt, kInt, kBig), kForever);
    EXPECT_EQ(duration_of(-kInt - 1, -kInt - 1, -kBig - 1), Duration::min());
    EXPECT_EQ(duration_of(0, 0, kBig), kForever);
}

TEST(Deadline, Passes)
{
    EXPECT_TRUE(Deadline(0us).passed());
    EXPECT_FALSE(Deadline(1h).passed());
    EXPECT_LE(Deadline(1h).remaining(), 1h);
    EXPECT_GT(Deadline(1h).remaining(), 59min);
    EXPECT_EQ(Deadline(kForever).remaining(), kForever);
}
