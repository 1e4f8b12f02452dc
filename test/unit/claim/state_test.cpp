#include "claim/state.hpp"

#include <gtest/gtest.h>

#include "base/failure.hpp"

using namespace arbiter::claim;

namespace {

constexpr State kStates[] = {State::claimed, State::done, State::failed, State::unknown};

bool may(Standing from, Standing to)
{
    return refusal(from, to) == nullptr;
}

} // namespace

TEST(State, NamesAreReadBack)
{
    for (State state : kStates)
        EXPECT_EQ(state_named(name(state)), state);
    EXPECT_EQ(state_named("Done"), std::nullopt);
    EXPECT_EQ(state_named(""), std::nullopt);
}

TEST(State, OnlyAnEndSettles)
{
    EXPECT_EQ(settled_state("failed"), State::failed);
    EXPECT_THROW(settled_state("claimed"), arbiter::Failure);
    EXPECT_THROW(settled_state("finished"), arbiter::Failure);
}

TEST(Refusal, ATokenNeverDecreases)
{
    for (State from : kStates)
        for (State to : kStates)
            EXPECT_FALSE(may({7, from}, {6, to}));
}

TEST(Refusal, DoneNeverReopens)
{
    for (State to : kStates) {
        EXPECT_EQ(may({7, State::done}, {7, to}), to == State::done);
        EXPECT_FALSE(may({7, State::done}, {8, to}));
    }
}

TEST(Refusal, ALargerTokenIsANewClaim)
{
    for (State from : {State::claimed, State::failed, State::unknown})
        for (State to : kStates)
            EXPECT_EQ(may({7, from}, {8, to}), to == State::claimed);
}

TEST(Refusal, TheHolderSettlesOnce)
{
    for (State to : kStates)
        EXPECT_TRUE(may({7, State::claimed}, {7, to}));
    for (State from : {State::failed, State::unknown})
        for (State to : kStates)
            EXPECT_EQ(may({7, from}, {7, to}), from == to);
}
