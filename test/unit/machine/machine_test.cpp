#include "machine/machine.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "machine/wording.hpp"

using namespace arbiter;
using namespace arbiter::machine;

namespace {

Machine make(std::string_view transitions, std::string_view initial = "Pending")
{
    return Machine("batch", "batch", initial, read_json(transitions));
}

constexpr std::string_view kBatch = R"([
    {"from": ["Pending"], "command": "start", "to": "Running", "event": "Started"},
    {"from": ["Pending", "Running"], "command": "finalize", "to": "Finalized", "event": "Finalized"},
    {"from": ["Running"], "command": "close", "to": "Finalized", "event": "Closed"},
    {"from": ["Finalized"], "command": "close", "to": "Archived", "event": "Archived"}])";

TEST(Machine, KnowsWhatMayFollowWhat)
{
    Machine const batch = make(kBatch);
    EXPECT_EQ(*batch.target("Started"), "Running");
    EXPECT_EQ(batch.target("Noted"), nullptr);
    EXPECT_TRUE(batch.allows("Pending", "Started"));
    EXPECT_FALSE(batch.allows("Running", "Started"));
    EXPECT_TRUE(batch.allows("Running", "Finalized"));
    EXPECT_EQ(batch.find("Running", "finalize")->to, "Finalized");
    EXPECT_EQ(batch.find("Finalized", "finalize"), nullptr);
    EXPECT_TRUE(batch.raises("close", "Archived"));
    EXPECT_FALSE(batch.raises("start", "Archived"));
    EXPECT_EQ(batch.commands_in("Running"), R"("close", "finalize")");
    EXPECT_EQ(batch.types_in("Pending"), R"("Finalized", "Started")");
    EXPECT_EQ(batch.types_in("Archived"), "");
}

TEST(Machine, DoesNotGuessWhereACommandAims)
{
    Machine const batch = make(kBatch);
    EXPECT_TRUE(batch.aims_only_at("finalize", "Finalized"));
    EXPECT_FALSE(batch.aims_only_at("finalize", "Running"));
    EXPECT_FALSE(batch.aims_only_at("close", "Finalized"));
    EXPECT_FALSE(batch.aims_only_at("close", "Archived"));
}

TEST(Machine, IsTheSameInWhateverOrder)
{
    Machine const one =
        make(R"([{"from": ["B", "A"], "command": "c", "to": "B", "event": "E"}])", "A");
    Machine const other = make(R"([{"from": ["A"], "command": "c", "to": "B", "event": "E"},
                                   {"from": ["B"], "command": "c", "to": "B", "event": "E"}])",
                               "A");
    EXPECT_EQ(difference(one, other), "");
    Machine const less = make(R"([{"from": ["A"], "command": "c", "to": "B", "event": "E"}])", "A");
    EXPECT_EQ(difference(one, less),
              "It was created with the transition from \"B\" by \"c\" to \"B\" "
              "with event type \"E\", which is not given now.");
    EXPECT_EQ(difference(less, one), "It was created without the transition from \"B\" by \"c\" to "
                                     "\"B\" with event type \"E\".");
}

} // namespace
