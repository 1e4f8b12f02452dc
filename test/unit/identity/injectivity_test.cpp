#include "identity/injectivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "../expect_failure.hpp"
#include "device_group.hpp"
#include "identity/json_string.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

const char *const kTypes[] = {"text", "uuid", "bigint", "boolean", "text[]"};

// Every list of up to `size` part types, without steps.
template <typename Body>
void for_each_type_list(std::size_t size, Body body, std::vector<std::size_t> prefix = {})
{
    if (!prefix.empty())
        body(prefix);
    if (prefix.size() == size)
        return;
    for (std::size_t type = 0; type < std::size(kTypes); ++type) {
        prefix.push_back(type);
        for_each_type_list(size, body, prefix);
        prefix.pop_back();
    }
}

std::string part(const std::string &name, const std::string &type, const std::string &each = "")
{
    std::string text = R"({"name":")" + name + R"(","type":")" + type + '"';
    if (!each.empty())
        text += R"(,"each":[)" + each + ']';
    if (type == "text[]")
        text += R"(,"set":["dedup","sort_utf16"])";
    return text + '}';
}

// The step as it stands in a spec.
std::string removing(const std::string &chars)
{
    std::string listed, step;
    append_json_string(listed, chars);
    append_json_string(step, "remove_chars(" + listed + ')');
    return step;
}

std::string parts_of(const std::vector<std::size_t> &types)
{
    std::string text;
    for (std::size_t i = 0; i < types.size(); ++i)
        text += (i == 0 ? "[" : ",") + part("p" + std::to_string(i), kTypes[types[i]]);
    return text + ']';
}

} // namespace

TEST(Injectivity, PrefixHoldsExactlyWhileAtMostOnePartIsFreeText)
{
    for_each_type_list(4, [](const std::vector<std::size_t> &types) {
        const Spec spec = make_spec(parts_of(types), Layout::prefix);
        const auto collision = find_collision(spec);
        const auto free_texts = std::count(types.begin(), types.end(), 0U);
        ASSERT_EQ(collision.has_value(), free_texts > 1) << parts_of(types);
        if (collision) {
            ASSERT_TRUE(collides(spec, *collision))
                << collision->first << collision->second << collision->name;
        }
    });
}

TEST(Injectivity, JsonAlwaysHolds)
{
    for_each_type_list(3, [](const std::vector<std::size_t> &types) {
        ASSERT_FALSE(find_collision(make_spec(parts_of(types), Layout::json))) << parts_of(types);
    });
}

TEST(Injectivity, RefusesWithACounterexampleThatCollides)
{
    const Spec spec = make_spec('[' + part("a", "text") + ',' + part("b", "text") + ',' +
                                    part("c", "text[]") + ']',
                                Layout::prefix);
    const auto collision = find_collision(spec);
    ASSERT_TRUE(collision);
    EXPECT_NE(collision->first, collision->second);
    EXPECT_EQ(name_of(spec, collision->first), collision->name);
    EXPECT_EQ(name_of(spec, collision->second), collision->name);
    expect_failure(sqlstate::kNotInjective, "layout prefix gives different parts the same name",
                   [&] { check_injective(spec); });
    expect_failure(sqlstate::kNotInjective,
                   collision->first + " and " + collision->second + " are both hashed as " +
                       collision->name,
                   [&] { check_injective(spec); });
    // Free text after the JSON.
    EXPECT_THROW(check_injective(make_spec('[' + part("a", "text") + ',' + part("c", "text[]") +
                                               ',' + part("b", "text") + ']',
                                           Layout::prefix)),
                 Failure);
    EXPECT_NO_THROW(check_injective(device_group()));
}

TEST(Injectivity, SeesWhatStepsExclude)
{
    const auto holds = [](std::initializer_list<std::string> parts) {
        std::string list;
        for (const std::string &part : parts)
            list += (list.empty() ? "[" : ",") + part;
        return !find_collision(make_spec(list + ']', Layout::prefix));
    };
    const std::string a = part("a", "text"), b = part("b", "text");
    EXPECT_TRUE(holds({part("a", "text", removing(":")), b}));
    EXPECT_TRUE(holds({a, part("b", "text", removing(":"))}));
    EXPECT_FALSE(holds({part("a", "text", removing(";")), b}));
    // A text without hyphens cannot swallow a uuid; one in upper case cannot swallow "true".
    EXPECT_TRUE(holds(
        {part("a", "text", removing("-")), part("u", "uuid"), part("b", "text", removing("-"))}));
    EXPECT_TRUE(holds({part("a", "text", removing("-")), part("u", "uuid"), b}));
    const std::string upper = R"("upper_ascii")", lower = R"("lower_ascii")";
    EXPECT_TRUE(holds({part("a", "text", upper), part("f", "boolean"), part("b", "text", upper)}));
    EXPECT_FALSE(holds({part("a", "text", lower), part("f", "boolean"), part("b", "text", lower)}));
}

// Random parts with random steps: whatever is refused is refused with a collision that is real.
TEST(Injectivity, EveryRefusalIsReal)
{
    const std::string steps[] = {removing(":"),
                                 removing("["),
                                 removing("]"),
                                 removing("\""),
                                 removing("-0"),
                                 removing("\\,"),
                                 removing("abcdefghijklmnopqrstuvwxyz"),
                                 R"("trim_js25")",
                                 R"("upper_ascii")",
                                 R"("lower_ascii")",
                                 R"("require_ascii_printable")",
                                 R"("refuse_empty")"};
    std::mt19937 random(3);
    int refused = 0, held = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string parts;
        for (unsigned i = 0, n = 2 + random() % 3; i < n; ++i) {
            const std::string type = kTypes[random() % 2 == 0 ? 0 : random() % 5];
            const bool takes_steps = type == "text" || type == "text[]";
            const std::string each =
                takes_steps && random() % 2 == 0 ? steps[random() % std::size(steps)] : "";
            parts += (i == 0 ? "[" : ",") + part("p" + std::to_string(i), type, each);
        }
        parts += ']';
        const Spec spec = make_spec(parts, Layout::prefix);
        const auto collision = find_collision(spec);
        (collision ? refused : held) += 1;
        if (collision) {
            ASSERT_TRUE(collides(spec, *collision))
                << parts << collision->first << collision->second << collision->name;
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(held, 500);
}

TEST(Injectivity, IsDecidedForTheLongestLists)
{
    std::string parts = "[" + part("t", "text");
    for (std::size_t i = 1; i < kMaxParts; ++i)
        parts += ',' + part("p" + std::to_string(i), kTypes[1 + i % 4]);
    EXPECT_FALSE(find_collision(make_spec(parts + ']', Layout::prefix)));
}
