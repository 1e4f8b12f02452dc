#include "base/version.hpp"

#include <gtest/gtest.h>

using arbiter::is_older;

TEST(Version, NumbersAreCompared)
{
    EXPECT_TRUE(is_older("0.9.1", "0.10"));
    EXPECT_TRUE(is_older("0.1", "0.1.0"));
    EXPECT_TRUE(is_older("0.1.0", "999.0"));
    EXPECT_FALSE(is_older("0.1.0", "0.0.1"));
    EXPECT_FALSE(is_older("0.1.0", "0.1.0"));
}

TEST(Version, WhatIsNoNumberEndsIt)
{
    EXPECT_FALSE(is_older("1.0-rc2", "1.0-rc1"));
    EXPECT_TRUE(is_older("", "0"));
    EXPECT_FALSE(is_older("next", ""));
}
