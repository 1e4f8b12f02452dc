#include "identity/json_string.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/json.hpp"
#include "base/utf8.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

std::string json_of(std::string_view text)
{
    std::string out;
    append_json_string(out, text);
    return out;
}

} // namespace

// Node 20: JSON.stringify of each code point under U+0020, then of the quote and the backslash.
TEST(JsonString, WritesThe34Escapes)
{
    const char *expected[] = {
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b",     "\\t",     "\\n",     "\\u000b", "\\f",     "\\r",     "\\u000e", "\\u000f",
        "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",
        "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f"};
    for (int c = 0; c < 0x20; ++c)
        EXPECT_EQ(json_of(std::string(1, static_cast<char>(c))),
                  '"' + std::string(expected[c]) + '"');
    EXPECT_EQ(json_of("\""), "\"\\\"\"");
    EXPECT_EQ(json_of("\\"), "\"\\\\\"");
}

TEST(JsonString, LeavesEveryOtherCodePointAlone)
{
    for (char32_t point = 0x20; point <= 0x10FFFF; ++point) {
        if (point == '"' || point == '\\' || (point >= 0xD800 && point <= 0xDFFF))
            continue;
        std::string text;
        append_utf8(text, point);
        ASSERT_EQ(json_of(text), '"' + text + '"') << code_point_name(point);
    }
}

TEST(JsonString, FindsAnEscapeAtEveryOffset)
{
    for (std::size_t size = 1; size < 40; ++size)
        for (std::size_t at = 0; at < size; ++at)
            for (const char c : {'\x1f', '"', '\\', '\x01'}) {
                std::string text(size, '\x7f');
                text[at] = c;
                ASSERT_EQ(read_json(json_of(text)).text, text) << size << ' ' << at;
            }
}

TEST(JsonString, WritesArrays)
{
    const auto array_of = [](std::vector<std::string_view> texts) {
        std::string out;
        append_json_array(out, texts);
        return out;
    };
    EXPECT_EQ(array_of({}), "[]");
    EXPECT_EQ(array_of({""}), "[\"\"]");
    EXPECT_EQ(array_of({"A,B"}), "[\"A,B\"]");
    EXPECT_EQ(array_of({"A", "B"}), "[\"A\",\"B\"]");
}

TEST(JsonString, ReadsBackAsItWas)
{
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (unsigned i = random() % 20; i > 0; --i) {
            char32_t point = random() % (random() % 3 == 0 ? 0x110000 : 0x100);
            if (point != 0 && (point < 0xD800 || point > 0xDFFF))
                append_utf8(text, point);
        }
        ASSERT_EQ(read_json(json_of(text)).text, text);
    }
}
