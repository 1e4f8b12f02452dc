#include "base/json.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"

using namespace arbiter;

TEST(Json, ReadsEveryKind)
{
    const Json json = read_json(" {\"a\" : [null, true, false, -1.5e+3, 0], \"b\":{}, \"\":[]} ");
    ASSERT_TRUE(json.is(Json::Kind::object));
    EXPECT_EQ(json.keys, (std::vector<std::string>{"a", "b", ""}));
    const Json &a = *json.find("a");
    ASSERT_EQ(a.items.size(), 5U);
    EXPECT_TRUE(a.items[0].is(Json::Kind::null));
    EXPECT_TRUE(a.items[1].boolean);
    EXPECT_FALSE(a.items[2].boolean);
    EXPECT_EQ(a.items[3].text, "-1.5e+3");
    EXPECT_EQ(json.find("c"), nullptr);
}

TEST(Json, ReadsEveryEscape)
{
    EXPECT_EQ(read_json(R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")").text,
              "\"\\/\b\f\n\r\té\xF0\x9F\x98\x80");
    EXPECT_EQ(read_json("\"\\uD83D\\uDE00\"").text, "\xF0\x9F\x98\x80");
}

TEST(Json, RefusesWhatIsNotJson)
{
    for (const char *text :
         {"",           " ",         "nul",         "tru",      "[1,]", "[,1]",
          "{\"a\":1,}", "{a:1}",     "{\"a\"}",     "{\"a\":}", "01",   "1.",
          ".5",         "+1",        "1e",          "-",        "0x1",  "\"",
          "\"\\x\"",    "\"\\u12\"", "\"\\u00g0\"", "[1] 2",    "[1",   "{\"a\":1",
          "'a'",        "NaN",       "\"a\nb\"",    "\"\\",     "\"\\u"})
        expect_failure(sqlstate::kInvalidParameterValue, "invalid JSON at byte",
                       [&] { read_json(text); });
    expect_failure(sqlstate::kInvalidParameterValue, "byte 1: malformed UTF-8",
                   [] { read_json("\"\xFF\""); });
}

TEST(Json, RefusesAKeyThatOccursTwice)
{
    expect_failure(sqlstate::kInvalidParameterValue, "key \"a\" occurs twice",
                   [] { read_json(R"({"a":1,"\u0061":2})"); });
}

TEST(Json, RefusesWhatNoTextCanHold)
{
    expect_failure(sqlstate::kUnderivableKey, "U+0000", [] { read_json("\"\\u0000\""); });
    for (const char *text :
         {"\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\ud800\""})
        expect_failure(sqlstate::kUnderivableKey, "surrogate", [&] { read_json(text); });
}

TEST(Json, LimitsDepth)
{
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_NO_THROW(read_json(nested(kMaxJsonDepth)));
    expect_failure(sqlstate::kInvalidParameterValue, "nested deeper",
                   [&] { read_json(nested(kMaxJsonDepth + 1)); });
    expect_failure(sqlstate::kInvalidParameterValue, "nested deeper",
                   [&] { read_json(nested(1000000)); });
}
