#include "log/history.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"

using namespace arbiter;
using namespace arbiter::log;

namespace {

// As whoever imports does it.
void add(History &history, const Place &event)
{
    history.add(event, history.find(event.stream));
}

TEST(History, TakesAStoreInTheOrderOfPositions)
{
    History history(0, 10);
    add(history, {1, "a", 0, "A"});
    add(history, {2, "b", 0, "A"});
    add(history, {7, "a", 1, "B"});
    add(history, {8, "a", 2, "$closed"});
    history.finish();
    EXPECT_EQ(history.last_position(), 8);
    EXPECT_EQ(history.find("a")->revision, 2);
    EXPECT_TRUE(history.find("a")->closes);
    EXPECT_FALSE(history.find("c"));
}

TEST(History, RefusesPositionsThatAreNone)
{
    History history(0, 10);
    for (std::int64_t position : {std::int64_t{0}, std::int64_t{-1}, INT64_MAX, INT64_MIN})
        expect_failure(sqlstate::kInvalidParameterValue, "out of range", [&] {
            add(history, {position, "a", 0, "A"});
        });
    History used(7, 10);
    expect_failure(sqlstate::kNotInPrerequisiteState, "sequence stands at 7", [&] {
        add(used, {7, "a", 0, "A"});
    });
    add(used, {8, "a", 0, "A"});
    add(history, {5, "a", 0, "A"});
    expect_failure(sqlstate::kUniqueViolation, "position 5 is given twice", [&] {
        add(history, {5, "b", 0, "A"});
    });
}

TEST(History, RefusesWhatDoesNotFollow)
{
    History history(0, 10);
    add(history, {1, "a", 0, "A"});
    add(history, {2, "a", 1, "A"});
    for (std::int64_t revision : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1},
                                  std::int64_t{3}, INT64_MAX, INT64_MIN})
        expect_failure(sqlstate::kNoncontiguousRevision, "has revision 1, at position 2", [&] {
            add(history, {9, "a", revision, "A"});
        });
    expect_failure(sqlstate::kNoncontiguousRevision, "position 9", [&] {
        add(history, {9, "b", -1, "A"});
    });
    expect_failure(sqlstate::kNoncontiguousRevision, "in the order of positions", [] {
        refuse_unless_follows({3, "a", 1, "A"}, Predecessor{0, 4, false});
    });
    add(history, {9, "a", 2, "$closed"});
    expect_failure(sqlstate::kStreamClosed, "closed at revision 2; the event at position 10", [&] {
        add(history, {10, "a", 3, "A"});
    });
}

TEST(History, KnowsNothingBehindTheLastRevisionThereIs)
{
    History history(0, 10);
    add(history, {1, "a", INT64_MAX - 1, "$truncated"});
    add(history, {2, "a", INT64_MAX, "A"});
    expect_failure(sqlstate::kNoncontiguousRevision, "It has revision -9223372036854775808", [&] {
        add(history, {3, "a", INT64_MIN, "A"});
    });
}

TEST(History, LetsAStreamBeginLaterWhereItWasTruncated)
{
    History history(0, 10);
    add(history, {1, "cut", 5, "A"});
    add(history, {2, "short", 3, "A"});
    expect_failure(sqlstate::kNoncontiguousRevision, "does not begin at revision 0",
                   [&] { history.finish(); });
    add(history, {3, "cut", 6, "$truncated"});
    expect_failure(sqlstate::kNoncontiguousRevision, "stream \"short\"", [&] { history.finish(); });
    add(history, {4, "short", 4, "$truncated"});
    history.finish();
}

TEST(History, ForgetsWhenItKnowsTooMany)
{
    History history(0, 2);
    add(history, {1, "a", 3, "A"});
    add(history, {2, "b", 0, "A"});
    history.forget_some();
    EXPECT_FALSE(history.has_forgotten());
    add(history, {3, "c", 0, "A"});
    history.forget_some();
    EXPECT_TRUE(history.has_forgotten());
    EXPECT_FALSE(history.find("a"));
    EXPECT_EQ(history.last_position(), 3);
    // What is still to be told is not forgotten.
    expect_failure(sqlstate::kNoncontiguousRevision, "stream \"a\"", [&] { history.finish(); });
}

} // namespace
