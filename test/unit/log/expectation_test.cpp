#include "log/expectation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "../expect_failure.hpp"

using namespace arbiter;
using namespace arbiter::log;

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Expectation, TakesRevisionsAndTheThreeNames)
{
    for (std::int64_t value : {std::int64_t{0}, std::int64_t{1}, kMax, Expectation::kNoStream,
                               Expectation::kAny, Expectation::kStreamExists})
        EXPECT_EQ(Expectation::from(value).value(), value);
}

TEST(Expectation, RefusesWhatMeansNothing)
{
    for (std::int64_t value : {std::int64_t{-3}, std::int64_t{-5}, std::int64_t{-100}, kMin})
        expect_failure(sqlstate::kInvalidParameterValue, std::to_string(value),
                       [&] { Expectation::from(value); });
}

TEST(Expectation, AcceptsTheHeadItNames)
{
    EXPECT_TRUE(Expectation::from(5).accepts(5));
    EXPECT_FALSE(Expectation::from(5).accepts(4));
    EXPECT_FALSE(Expectation::from(5).accepts(6));
    EXPECT_FALSE(Expectation::from(0).accepts(kNoRevision));
    EXPECT_TRUE(Expectation::from(Expectation::kNoStream).accepts(kNoRevision));
    EXPECT_FALSE(Expectation::from(Expectation::kNoStream).accepts(0));
    EXPECT_FALSE(Expectation::from(kMax).accepts(kNoRevision));
}

TEST(Expectation, AnyAcceptsEveryHead)
{
    for (std::int64_t head : {kNoRevision, std::int64_t{0}, kMax})
        EXPECT_TRUE(Expectation::from(Expectation::kAny).accepts(head));
}

TEST(Expectation, StreamExistsAcceptsEveryHeadButNone)
{
    EXPECT_FALSE(Expectation::from(Expectation::kStreamExists).accepts(kNoRevision));
    EXPECT_TRUE(Expectation::from(Expectation::kStreamExists).accepts(0));
    EXPECT_TRUE(Expectation::from(Expectation::kStreamExists).accepts(kMax));
}

// A retry is an append that would have been accepted at the head before its first event.
TEST(Expectation, CouldHaveWrittenWhatFollowsAnAcceptedHead)
{
    for (std::int64_t value :
         {Expectation::kStreamExists, Expectation::kAny, Expectation::kNoStream, std::int64_t{0},
          std::int64_t{1}, std::int64_t{7}}) {
        Expectation const expected = Expectation::from(value);
        for (std::int64_t first = 0; first < 10; ++first)
            EXPECT_EQ(expected.could_have_written(first), expected.accepts(first - 1))
                << value << " and " << first;
    }
}

TEST(Expectation, NamesARevisionOrNot)
{
    EXPECT_TRUE(Expectation::from(0).names_revision());
    EXPECT_TRUE(Expectation::from(Expectation::kNoStream).names_revision());
    EXPECT_FALSE(Expectation::from(Expectation::kAny).names_revision());
    EXPECT_FALSE(Expectation::from(Expectation::kStreamExists).names_revision());
}

} // namespace
