#include "identity/derivation.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "../read_file.hpp"
#include "base/utf8.hpp"
#include "device_group.hpp"
#include "identity/json_string.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

const char *const kFiveParts =
    R"([{"name":"t","type":"text","each":["trim_js25"]},{"name":"u","type":"uuid"},)"
    R"({"name":"n","type":"bigint"},{"name":"b","type":"boolean"},)"
    R"({"name":"l","type":"text[]","set":["keep_order"]}])";
const char *const kFiveArgs =
    R"({"t":" a\"b ","u":"6F6B1A52-5F0E-5D8E-9D54-3A9D6F1E0C11","n":-42,"b":true,"l":["x","","x"]})";

} // namespace

TEST(Derivation, AgreesWithEveryDeviceGroupVector)
{
    const Json vectors = read_json(read_file("test/vectors/device_group_id.json"));
    EXPECT_EQ(vectors.items.size(), 15U);
    Derivation derivation(device_group());
    for (const Json &vector : vectors.items) {
        Json args;
        args.kind = Json::Kind::object;
        for (const char *key : {"organization_id", "serial_numbers"}) {
            args.keys.emplace_back(key);
            args.items.push_back(*vector.find(key));
        }
        const Arguments arguments(derivation.spec(), std::move(args));
        EXPECT_EQ(derivation.name(arguments.values()), vector.find("hashed_name")->text);
        EXPECT_EQ(to_string(derivation.id(arguments.values())), vector.find("uuid")->text);
    }
}

TEST(Derivation, LaysOutEveryType)
{
    EXPECT_EQ(name_of(make_spec(kFiveParts, Layout::json), kFiveArgs),
              R"(["a\"b","6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11",-42,true,["x","","x"]])");
    EXPECT_EQ(name_of(make_spec(kFiveParts, Layout::prefix), kFiveArgs),
              R"(a"b:6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11:-42:true:["x","","x"])");
}

TEST(Derivation, KeepsTheEmptyListAndTheListOfAnEmptyTextApart)
{
    const Spec spec =
        make_spec(R"([{"name":"l","type":"text[]","set":["keep_order"]}])", Layout::prefix);
    EXPECT_EQ(name_of(spec, R"({"l":[]})"), "[]");
    EXPECT_EQ(name_of(spec, R"({"l":[""]})"), "[\"\"]");
    EXPECT_EQ(name_of(spec, R"({"l":["A,B"]})"), "[\"A,B\"]");
    EXPECT_EQ(name_of(spec, R"({"l":["A","B"]})"), "[\"A\",\"B\"]");
}

TEST(Derivation, RefusesNullsByPartAndElement)
{
    const Spec spec = device_group();
    expect_failure(sqlstate::kNullValueNotAllowed, "part \"organization_id\" is null",
                   [&] { name_of(spec, R"({"organization_id":null,"serial_numbers":[]})"); });
    expect_failure(sqlstate::kNullValueNotAllowed, "part \"serial_numbers\", element 2 is null", [&] {
        name_of(
            spec,
            R"({"organization_id":"3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":["a",null]})");
    });
}

TEST(Derivation, RefusesIntegersThatNotEveryRuntimeHolds)
{
    const Spec spec = make_spec(R"([{"name":"n","type":"bigint"}])", Layout::json);
    for (const char *ok : {"0", "-1", "9007199254740991", "-9007199254740991"})
        EXPECT_EQ(name_of(spec, std::string("{\"n\":") + ok + "}"), std::string("[") + ok + "]");
    for (const char *bad :
         {"9007199254740992", "-9007199254740992", "9223372036854775807", "-9223372036854775808"})
        expect_failure(sqlstate::kUnderivableKey, std::string("part \"n\" is ") + bad,
                       [&] { name_of(spec, std::string("{\"n\":") + bad + "}"); });
    for (const char *bad : {"1.0", "1e3", "-0", "9223372036854775808", "\"1\""})
        expect_failure(sqlstate::kInvalidParameterValue,
                       "part \"n\" is bigint and cannot be read from",
                       [&] { name_of(spec, std::string("{\"n\":") + bad + "}"); });
}

TEST(Derivation, StaysTheSameFromCallToCall)
{
    Derivation derivation(device_group());
    const std::string big(20000, 'X');
    std::string many = "[";
    for (int i = 0; i < 300; ++i) {
        if (i > 0)
            many += ',';
        append_json_string(many, big);
    }
    const auto id = [&](const std::string &serials) {
        const Arguments arguments(
            derivation.spec(),
            read_json(R"({"organization_id":"3f2c8a1e-0000-4000-8000-000000000001",)"
                      R"("serial_numbers":)" +
                      serials + "}"));
        return to_string(derivation.id(arguments.values()));
    };
    const std::string first = id(R"(["A","B"])");
    EXPECT_EQ(first, "b3308c75-9039-59a8-90c9-09cbb8be69df");
    id(many + "]"); // 6 MB in, 20 kB out: scratch memory grows and is given back
    EXPECT_THROW(id(R"([null])"), Failure);
    EXPECT_EQ(id(R"(["b ","a"])"), first);
}

TEST(Arguments, AreReadStrictly)
{
    const Spec spec = make_spec(kFiveParts, Layout::json);
    const auto refused = [&](const char *why, const std::string &from, const std::string &to) {
        std::string args = kFiveArgs;
        args.replace(args.find(from), from.size(), to);
        expect_failure(sqlstate::kInvalidParameterValue, why,
                       [&] { Arguments(spec, read_json(args)); });
    };
    refused("part \"t\" is text and cannot be read from number \"5\"", R"(" a\"b ")", "5");
    refused("part \"u\" is uuid and cannot be read from string \"{6F", R"("u":"6F6B1A52)",
            R"("u":"{6F6B1A52)");
    refused("part \"b\" is boolean and cannot be read from string \"true\"", "true", "\"true\"");
    refused("part \"l\" is text[] and cannot be read from string \"{x}\"", R"(["x","","x"])",
            "\"{x}\"");
    refused("an array with JSON array in it", R"(["x","","x"])", "[[\"x\"]]");
    refused("args lacks part \"n\"", "\"n\":-42,", "");
    refused("args has an unknown part \"z\"", "{", "{\"z\":1,");
    expect_failure(sqlstate::kInvalidParameterValue, "args is not an object but array",
                   [&] { Arguments(spec, read_json("[]")); });
}

TEST(Arguments, AreWrittenInTheOrderOfTheParts)
{
    const Spec spec = make_spec(
        R"([{"name":"a","type":"text"},{"name":"b","type":"text[]","set":["keep_order"]}])",
        Layout::json);
    EXPECT_EQ(Arguments(spec, read_json(R"({ "b": ["x", null], "a": "\u0041" })")).canonical_text(),
              R"({"a":"A","b":["x",null]})");
}
