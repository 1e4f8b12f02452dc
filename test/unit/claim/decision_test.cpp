#include "claim/decision.hpp"

#include <limits>

#include <gtest/gtest.h>

using namespace arbiter;
using namespace arbiter::claim;

namespace {

constexpr Time kNow = 1'000'000;
constexpr Policy kNever{};
constexpr Policy kLeased{Takeover::after_lease, std::chrono::seconds(1), true};
constexpr std::optional<std::string_view> kNoFingerprint;

Found found(State state, std::optional<Time> lease_until = std::nullopt)
{
    return {.standing = {7, state}, .lease_until = lease_until, .fingerprint = {}, .mine = false};
}

Decision decide_on(const Found &row, bool in_flight, const Policy &policy)
{
    return decide(&row, in_flight, policy, kNoFingerprint, kNow);
}

} // namespace

TEST(Decision, NothingIsFound)
{
    EXPECT_EQ(decide(nullptr, false, kNever, kNoFingerprint, kNow), Decision::win);
    EXPECT_EQ(decide(nullptr, true, kNever, kNoFingerprint, kNow), Decision::busy);
}

TEST(Decision, ALeaseIsLiveUntilItsEnd)
{
    EXPECT_EQ(decide_on(found(State::claimed, kNow + 1), false, kLeased), Decision::taken);
    EXPECT_EQ(decide_on(found(State::claimed, kNow), false, kLeased), Decision::win);
    EXPECT_EQ(decide_on(found(State::claimed), false, kLeased), Decision::taken);
}

TEST(Decision, NeverIsNever)
{
    EXPECT_EQ(decide_on(found(State::claimed), false, kNever), Decision::taken);
    EXPECT_EQ(decide_on(found(State::claimed, kNow - 1), false, kNever), Decision::taken);
}

TEST(Decision, AnEndIsTold)
{
    for (bool in_flight : {false, true}) {
        EXPECT_EQ(decide_on(found(State::done), in_flight, kLeased), Decision::settled);
        EXPECT_EQ(decide_on(found(State::unknown), in_flight, kLeased), Decision::settled);
    }
    EXPECT_EQ(decide_on(found(State::failed), false, kNever), Decision::win);
}

// Whoever is in flight on an open claim may be winning it; on a live one, its holder at work.
TEST(Decision, InFlightMattersWhereItCouldBeWon)
{
    EXPECT_EQ(decide_on(found(State::failed), true, kNever), Decision::busy);
    EXPECT_EQ(decide_on(found(State::claimed, kNow), true, kLeased), Decision::busy);
    EXPECT_EQ(decide_on(found(State::claimed, kNow + 1), true, kLeased), Decision::taken);
}

TEST(Decision, OnesOwnClaimIsOnesOwnEvenWhenItLapsed)
{
    Found row = found(State::claimed, kNow - 1);
    row.mine = true;
    EXPECT_EQ(decide_on(row, false, kLeased), Decision::own);
    row.standing.state = State::done;
    EXPECT_EQ(decide_on(row, false, kLeased), Decision::settled);
    row.standing.state = State::failed;
    EXPECT_EQ(decide_on(row, false, kLeased), Decision::win);
}

TEST(Decision, AnotherFingerprintIsABugInEveryState)
{
    for (State state : {State::claimed, State::done, State::failed, State::unknown})
        for (bool in_flight : {false, true}) {
            Found row = found(state, kNow - 1);
            row.fingerprint = "x";
            EXPECT_EQ(decide(&row, in_flight, kLeased, "y", kNow), Decision::mismatch);
            EXPECT_NE(decide(&row, in_flight, kLeased, "x", kNow), Decision::mismatch);
            EXPECT_NE(decide(&row, in_flight, kLeased, kNoFingerprint, kNow), Decision::mismatch);
            row.fingerprint.reset();
            EXPECT_NE(decide(&row, in_flight, kLeased, "y", kNow), Decision::mismatch);
        }
}

TEST(Lease, EndsAfterItsLengthOrNever)
{
    EXPECT_EQ(lease_end(kNever, kNow), std::nullopt);
    EXPECT_EQ(lease_end(kLeased, kNow), kNow + 1'000'000);
    Policy const endless{Takeover::after_lease, kForever, true};
    EXPECT_EQ(lease_end(endless, kNow), std::numeric_limits<Time>::max());
}

TEST(Token, GrowsUnderEveryClock)
{
    std::int64_t const first = next_token(std::nullopt, kNow);
    EXPECT_EQ(first, 946'684'801'000'000);
    EXPECT_EQ(next_token(first, kNow), first + 1);
    EXPECT_EQ(next_token(first, kNow - 5'000), first + 1); // set back
    EXPECT_EQ(next_token(first, kNow + 5'000), first + 5'000);
}
