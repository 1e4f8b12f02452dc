#include "projection/decision.hpp"

#include <limits>

#include <gtest/gtest.h>

using arbiter::projection::decide;
using arbiter::projection::Decision;
using arbiter::projection::kNothingApplied;

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct Case {
    std::int64_t applied;
    std::int64_t revision;
    Decision strict;
    Decision filtered;
};

constexpr Case kCases[] = {
    {kNothingApplied, 0, Decision::apply, Decision::apply},
    {kNothingApplied, 1, Decision::gap, Decision::apply},
    {kNothingApplied, kMax, Decision::gap, Decision::apply},
    {0, 0, Decision::already, Decision::already},
    {0, 1, Decision::apply, Decision::apply},
    {4, 0, Decision::already, Decision::already},
    {4, 4, Decision::already, Decision::already},
    {4, 5, Decision::apply, Decision::apply},
    {4, 6, Decision::gap, Decision::apply},
    {kMax - 1, kMax, Decision::apply, Decision::apply},
    {kMax, kMax, Decision::already, Decision::already},
    {kMax, 0, Decision::already, Decision::already},
};

} // namespace

TEST(Decision, OfEveryKindOfRevision)
{
    for (const Case &c : kCases) {
        EXPECT_EQ(decide(c.applied, c.revision, true), c.strict) << c.applied << ", " << c.revision;
        EXPECT_EQ(decide(c.applied, c.revision, false), c.filtered)
            << c.applied << ", " << c.revision;
    }
}

TEST(Decision, AppliesEveryRevisionOnceWhateverIsDeliveredTwice)
{
    std::int64_t applied = kNothingApplied;
    int effects = 0;
    for (std::int64_t revision : {0, 0, 1, 0, 2, 2, 1, 3})
        if (decide(applied, revision, true) == Decision::apply) {
            applied = revision;
            ++effects;
        }
    EXPECT_EQ(applied, 3);
    EXPECT_EQ(effects, 4);
}
