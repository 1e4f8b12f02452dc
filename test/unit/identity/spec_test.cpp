#include "identity/spec.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "device_group.hpp"

using namespace arbiter;
using namespace arbiter::identity;

TEST(Spec, HasOneSpelling)
{
    const std::string text =
        R"({"format":1,"namespace":"6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11","layout":"prefix",)"
        R"("parts":)" +
        std::string(kDeviceGroupParts) + "}";
    EXPECT_EQ(canonical_text(device_group()), text);
    EXPECT_EQ(canonical_text(parse_spec(text)), text);
}

TEST(Spec, KeepsEveryTypeAndStep)
{
    const std::string parts =
        R"~([{"name":"a","type":"text","each":["remove_chars(\"- .\")","trim_ascii","upper_ascii",)~"
        R"("refuse_empty"]},{"name":"b","type":"bigint"},{"name":"c","type":"boolean"},)"
        R"({"name":"d","type":"uuid"},{"name":"e","type":"text[]",)"
        R"("each":["require_ascii_printable"],"set":["keep_order"]}])";
    const Spec spec = make_spec(parts, Layout::json);
    EXPECT_NE(canonical_text(spec).find(parts), std::string::npos) << canonical_text(spec);
    EXPECT_EQ(canonical_text(parse_spec(canonical_text(spec))), canonical_text(spec));
}

TEST(Spec, ReadsWhatItHasWrittenAndNothingElse)
{
    const std::string good = canonical_text(device_group());
    const auto refused = [&](const std::string &why, const std::string &from,
                             const std::string &to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        expect_failure(sqlstate::kInvalidParameterValue, why, [&] { parse_spec(text); });
    };
    refused("is not an object", good, "[]");
    refused("made by a newer version", R"("format":1)", R"("format":2)");
    refused("has the namespace \"6f6b\"", kDeviceGroupNamespace, "6f6b");
    refused("lacks the key \"parts\"", R"(,"parts":)" + std::string(kDeviceGroupParts), "");
    refused("unknown key", R"("format":1)", R"("format":1,"salt":1)");
}

TEST(Spec, RefusesWhatItDoesNotUnderstand)
{
    const auto parts = [](const char *text) { parse_parts(read_json(text)); };
    const auto refused = [&](const char *why, const char *text) {
        expect_failure(sqlstate::kInvalidParameterValue, why, [&] { parts(text); });
    };
    refused("parts is not an array but object", "{}");
    refused("as one JSON array", "\"{a,b}\"");
    refused("between 1 and 32 parts, not 0", "[]");
    refused("part 1 is not an object", "[1]");
    refused("part 1 has an unknown key \"nmae\"", R"([{"nmae":"a","type":"text"}])");
    refused("part 1 lacks the key \"name\"", R"([{"type":"text"}])");
    refused("key \"name\" of part 1 is not a string", R"([{"name":1,"type":"text"}])");
    for (const char *name : {"", "A", "1a", "a b", "a-b", "é", "a.b"})
        EXPECT_THROW(parts((R"([{"name":")" + std::string(name) + R"(","type":"text"}])").c_str()),
                     Failure)
            << name;
    EXPECT_NO_THROW(
        parts((R"([{"name":")" + std::string(63, 'a') + R"(","type":"text"}])").c_str()));
    EXPECT_THROW(parts((R"([{"name":")" + std::string(64, 'a') + R"(","type":"text"}])").c_str()),
                 Failure);
    refused("part \"a\" lacks the key \"type\"", R"([{"name":"a"}])");
    for (const char *type : {"timestamptz", "numeric", "bytea", "float8", "jsonb", "char(3)", "int",
                             "text[][]", "TEXT"})
        refused("has the type",
                (R"([{"name":"a","type":")" + std::string(type) + R"("}])").c_str());
    refused("two parts have the name \"a\"",
            R"([{"name":"a","type":"text"},{"name":"a","type":"uuid"}])");
    refused("steps are for text and text[]",
            R"([{"name":"a","type":"uuid","each":["lower_ascii"]}])");
    refused("part \"a\": drop_empty is for lists",
            R"([{"name":"a","type":"text","each":["drop_empty"]}])");
    refused("part \"a\": set steps are for lists",
            R"([{"name":"a","type":"text","set":["dedup"]}])");
    refused("part \"a\": the set steps do not say one order", R"([{"name":"a","type":"text[]"}])");
    refused("part \"a\": unknown step \"trim\"", R"([{"name":"a","type":"text","each":["trim"]}])");
    refused("key \"each\" of part \"a\" is not an array",
            R"([{"name":"a","type":"text","each":"trim_js25"}])");
    refused("key \"set\" of part \"a\" lists something",
            R"([{"name":"a","type":"text[]","set":[1]}])");
    expect_failure(sqlstate::kInvalidParameterValue, "unknown layout \"join\"",
                   [] { parse_layout("join"); });
}

TEST(Spec, RefusesAnotherFormat)
{
    std::string text = canonical_text(device_group());
    text.replace(text.find("\"format\":1"), 10, "\"format\":2");
    expect_failure(sqlstate::kInvalidParameterValue, "format that this library does not know",
                   [&] { parse_spec(text); });
}
