#include "runner/schedule.hpp"

#include <gtest/gtest.h>

using namespace std::chrono_literals;
using arbiter::Duration;
using arbiter::kForever;
using arbiter::runner::Clock;
using arbiter::runner::kFirstRest;
using arbiter::runner::kFirstRestAfterError;
using arbiter::runner::kLongestInterval;
using arbiter::runner::kLongestRest;
using arbiter::runner::kLongestRestAfterError;
using arbiter::runner::Moment;
using arbiter::runner::Schedule;
using arbiter::runner::Task;

namespace {

class HandClock : public Clock {
public:
    Moment now() const override { return now_; }
    void pass(Duration time) { now_ += time; }

private:
    Moment now_{1h};
};

class ScheduleTest : public testing::Test {
protected:
    bool is_due(const Task &task) { return !schedule.due({task}).empty(); }
    HandClock clock;
    Schedule schedule{clock};
};

Task catch_up(std::int64_t progress)
{
    return {.statement = "catch up", .progress = progress};
}

Task sweep()
{
    return {.statement = "sweep", .every = 1s};
}

} // namespace

TEST_F(ScheduleTest, WithNothingWantedItRestsForEver)
{
    EXPECT_EQ(schedule.rest(), kForever);
    EXPECT_TRUE(schedule.due({}).empty());
    EXPECT_EQ(schedule.rest(), kForever);
}

TEST_F(ScheduleTest, WhatIsWantedIsDueAtOnceInItsOrder)
{
    auto const due = schedule.due({sweep(), catch_up(0)});
    ASSERT_EQ(due.size(), 2U);
    EXPECT_EQ(due[0].statement, "sweep");
    EXPECT_EQ(due[1].statement, "catch up");
    EXPECT_EQ(schedule.rest(), Duration::zero());
}

TEST_F(ScheduleTest, WhatMovesGoesOnWithoutARest)
{
    for (std::int64_t progress = 0; progress < 20; ++progress) {
        ASSERT_TRUE(is_due(catch_up(progress)));
        schedule.did(catch_up(progress));
    }
}

TEST_F(ScheduleTest, WhatDoesNotMoveRestsLongerEachTime)
{
    ASSERT_TRUE(is_due(catch_up(7)));
    Duration longest = Duration::zero();
    for (int i = 0; i < 20; ++i) {
        schedule.did(catch_up(7));
        EXPECT_FALSE(is_due(catch_up(7)));
        Duration const rest = schedule.rest();
        EXPECT_GE(rest, kFirstRest);
        EXPECT_GE(rest, longest);
        EXPECT_LE(rest, kLongestRest);
        longest = rest;
        clock.pass(rest);
        ASSERT_TRUE(is_due(catch_up(7)));
    }
    EXPECT_EQ(longest, kLongestRest);
    EXPECT_TRUE(is_due(catch_up(8))) << "it moved after all";
}

TEST_F(ScheduleTest, WhatIsNotWantedAnyMoreIsForgottenOnceItsRestIsOver)
{
    for (int i = 0; i < 20; ++i)
        schedule.did(catch_up(7));
    EXPECT_TRUE(schedule.due({}).empty());
    EXPECT_EQ(schedule.rest(), kForever);
    EXPECT_FALSE(is_due(catch_up(7))) << "back at once: nothing has changed";
    EXPECT_TRUE(schedule.due({}).empty());
    clock.pass(kLongestRest);
    EXPECT_TRUE(schedule.due({}).empty());
    ASSERT_TRUE(is_due(catch_up(7)));
    schedule.did(catch_up(7));
    EXPECT_LT(schedule.rest(), kLongestRest);
}

TEST_F(ScheduleTest, AnIntervalIsKeptHoweverOftenItIsWanted)
{
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(is_due(sweep()));
        schedule.did(sweep());
        EXPECT_FALSE(is_due(sweep()));
        EXPECT_EQ(schedule.rest(), 1s);
        clock.pass(999ms);
        EXPECT_FALSE(is_due(sweep()));
        clock.pass(1ms);
    }
}

TEST_F(ScheduleTest, AnIntervalThatComesToNothingGrows)
{
    Task const settle{.statement = "settle", .progress = 5, .every = 1s};
    Duration longest = Duration::zero();
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(is_due(settle));
        schedule.did(settle);
        EXPECT_FALSE(is_due(settle));
        EXPECT_GE(schedule.rest(), longest);
        longest = schedule.rest();
        clock.pass(longest);
    }
    EXPECT_EQ(longest, kLongestInterval);
    Task const moved{.statement = "settle", .progress = 6, .every = 1s};
    ASSERT_TRUE(is_due(moved));
    schedule.did(moved);
    EXPECT_FALSE(is_due(moved));
    EXPECT_EQ(schedule.rest(), 1s);
}

TEST_F(ScheduleTest, AnErrorRestsLongerEachTimeAndOthersGoOn)
{
    Duration longest = Duration::zero();
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(is_due(catch_up(i))) << "progress does not end a rest after an error";
        schedule.failed(catch_up(i));
        EXPECT_FALSE(is_due(catch_up(i + 1)));
        EXPECT_GE(schedule.rest(), longest);
        longest = schedule.rest();
        EXPECT_EQ(schedule.due({catch_up(i + 1), sweep()}).size(), 1U);
        clock.pass(longest);
    }
    EXPECT_EQ(longest, kLongestRestAfterError);
    schedule.did(catch_up(20));
    clock.pass(kLongestRest);
    ASSERT_TRUE(is_due(catch_up(21)));
    schedule.failed(catch_up(21));
    EXPECT_FALSE(is_due(catch_up(21)));
    EXPECT_EQ(schedule.rest(), kFirstRestAfterError) << "what went well once begins anew";
}
