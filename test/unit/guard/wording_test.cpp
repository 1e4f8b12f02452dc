#include "guard/wording.hpp"

#include <gtest/gtest.h>

using namespace arbiter::guard;

TEST(Wording, IsReadBackAsItWasWritten)
{
    for (const Wording &wording :
         {Wording{"a batch is open", std::nullopt}, Wording{"a", "b"},
          Wording{"é \"quoted\" \\ {}\n\t\x01", "arbiter.guard"}, Wording{"a", ""}})
        EXPECT_EQ(from_comment(to_comment(wording)), wording);
}

TEST(Wording, HasAFrozenForm)
{
    EXPECT_EQ(to_comment({"a \"b\"", "c"}),
              R"({"arbiter.guard":{"message":"a \"b\"","hint":"c"}})");
    EXPECT_EQ(to_comment({"a", std::nullopt}), R"({"arbiter.guard":{"message":"a"}})");
}

TEST(Wording, MayBeLaidOutByHand)
{
    EXPECT_EQ(from_comment("{ \"arbiter.guard\" : { \"hint\" : \"b\", \"message\" : \"a\" } }"),
              (Wording{"a", "b"}));
}

TEST(Wording, LeavesOtherCommentsAlone)
{
    for (const char *comment :
         {"", "{", "{}", "one open batch a host", "see arbiter.guard", R"({"arbiter.guard":{}})",
          R"({"arbiter.guard":"a"})", R"({"arbiter.guard":{"message":1}})",
          R"({"arbiter.guard":{"message":"a","hint":null}})", R"({"arbiter.guard":{"message":"a"})",
          R"({"other":{"message":"arbiter.guard"}})"})
        EXPECT_EQ(from_comment(comment), std::nullopt) << comment;
}
