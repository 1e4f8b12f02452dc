#include "identity/normalize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "../expect_failure.hpp"
#include "../read_file.hpp"
#include "base/utf8.hpp"
#include "identity/invisible.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

std::vector<Step> steps(std::initializer_list<std::string_view> names)
{
    std::vector<Step> result;
    for (const auto name : names)
        result.push_back(parse_step(name));
    return result;
}

std::optional<std::string> normal(const std::vector<Step> &steps, std::string_view text)
{
    Scratch scratch;
    scratch.begin(text.size());
    const auto result = normalize_text(steps, text, {"p", 3}, scratch);
    return result ? std::optional(std::string(*result)) : std::nullopt;
}

std::string utf8(char32_t point)
{
    std::string text;
    append_utf8(text, point);
    return text;
}

// Every scalar value but U+0000, which no text holds.
template <typename Body>
void for_each_code_point(Body body)
{
    for (char32_t point = 1; point <= 0x10FFFF; ++point)
        if (point < 0xD800 || point > 0xDFFF)
            body(point, utf8(point));
}

const char32_t kJsSpaces[] = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0xA0,
                              0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
                              0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029,
                              0x202F, 0x205F, 0x3000, 0xFEFF};

} // namespace

TEST(Trim, Js25StripsExactlyThe25OnBothSides)
{
    const auto trim = steps({"trim_js25"});
    EXPECT_EQ(std::size(kJsSpaces), 25U);
    for_each_code_point([&](char32_t point, const std::string &text) {
        const bool stripped =
            std::find(std::begin(kJsSpaces), std::end(kJsSpaces), point) != std::end(kJsSpaces);
        ASSERT_EQ(normal(trim, text + "a" + text), stripped ? "a" : text + "a" + text)
            << code_point_name(point);
        ASSERT_EQ(normal(trim, text), stripped ? "" : text);
    });
    EXPECT_EQ(normal(trim, "  \xC2\xA0\xEF\xBB\xBF a b\t "), "a b");
}

TEST(Trim, AsciiStripsExactlySix)
{
    const auto trim = steps({"trim_ascii"});
    for_each_code_point([&](char32_t point, const std::string &text) {
        const bool stripped = point == 0x20 || (point >= 0x09 && point <= 0x0D);
        ASSERT_EQ(normal(trim, text + "a" + text), stripped ? "a" : text + "a" + text)
            << code_point_name(point);
    });
}

TEST(Case, ChangesTwentySixLettersAndNothingElse)
{
    const auto lower = steps({"lower_ascii"}), upper = steps({"upper_ascii"});
    for_each_code_point([&](char32_t point, const std::string &text) {
        const bool is_upper = point >= 'A' && point <= 'Z', is_lower = point >= 'a' && point <= 'z';
        ASSERT_EQ(normal(lower, text),
                  is_upper ? std::string(1, static_cast<char>(point + 32)) : text);
        ASSERT_EQ(normal(upper, text),
                  is_lower ? std::string(1, static_cast<char>(point - 32)) : text);
    });
}

TEST(RemoveChars, RemovesTheListedOnly)
{
    const auto remove = steps({"remove_chars(\"- .\")"});
    for_each_code_point([&](char32_t point, const std::string &text) {
        const bool removed = point == '-' || point == ' ' || point == '.';
        ASSERT_EQ(normal(remove, "a" + text + "b"), removed ? "ab" : "a" + text + "b");
    });
    EXPECT_EQ(normal(steps({"remove_chars(\"\\\"\\\\)\\t\")"}), "a\"b\\c)d\te"), "abcde");
}

TEST(RequireAsciiPrintable, RefusesEverythingElseByName)
{
    const auto require = steps({"require_ascii_printable"});
    for_each_code_point([&](char32_t point, const std::string &text) {
        if (point >= 0x20 && point <= 0x7E) {
            ASSERT_EQ(normal(require, text), text);
        } else if (point < 0x3000) {
            expect_failure(sqlstate::kUnderivableKey,
                           "part \"p\", element 3 holds " + code_point_name(point),
                           [&] { normal(require, text); });
        }
    });
}

TEST(RefuseInvisible, RefusesControlsAndDefaultIgnorables)
{
    const auto refuse = steps({"refuse_invisible"});
    for_each_code_point([&](char32_t point, const std::string &text) {
        if (!is_invisible(point)) {
            ASSERT_EQ(normal(refuse, text), text);
        }
    });
    for (const char32_t point :
         {0x01, 0x7F, 0x85, 0xAD, 0x180E, 0x200B, 0x200D, 0x2060, 0xFE0F, 0xFEFF, 0xE0001})
        expect_failure(sqlstate::kUnderivableKey, "holds " + code_point_name(point),
                       [&] { normal(refuse, "ab" + utf8(point)); });
}

// Where Debian's unicode-data has the version the table was made from: the same set, code point by
// code point.
TEST(RefuseInvisible, AgreesWithUnicode)
{
    std::string properties;
    try {
        properties = read_file("/usr/share/unicode/DerivedCoreProperties.txt");
    } catch (const std::exception &) {
        GTEST_SKIP() << "no unicode-data here";
    }
    if (properties.find("DerivedCoreProperties-15.0.0.txt") == std::string::npos)
        GTEST_SKIP() << "unicode-data of another version";
    std::vector<bool> ignorable(0x110000);
    std::istringstream lines(properties);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("; Default_Ignorable_Code_Point") == std::string::npos)
            continue;
        const std::size_t first = std::stoul(line, nullptr, 16);
        const std::size_t dots = line.find("..");
        const std::size_t last =
            dots < line.find(';') ? std::stoul(line.substr(dots + 2), nullptr, 16) : first;
        for (std::size_t point = first; point <= last; ++point)
            ignorable[point] = true;
    }
    std::size_t count = 0;
    for (std::size_t point = 0; point < 0x110000; ++point) {
        const bool control = point < 0x20 || (point >= 0x7F && point <= 0x9F);
        ASSERT_EQ(is_invisible(static_cast<char32_t>(point)), control || ignorable[point]) << point;
        count += ignorable[point];
    }
    EXPECT_EQ(count, 4174U);
}

TEST(Empty, IsDroppedOrRefused)
{
    EXPECT_EQ(normal(steps({"trim_js25", "drop_empty"}), "  "), std::nullopt);
    EXPECT_EQ(normal(steps({"drop_empty"}), " "), " ");
    expect_failure(sqlstate::kUnderivableKey, "part \"p\", element 3 is empty",
                   [] { normal(steps({"refuse_empty"}), ""); });
}

TEST(Text, MustBeWellFormed)
{
    expect_failure(sqlstate::kUnderivableKey, "part \"p\", element 3 is not well-formed UTF-8",
                   [] { normal({}, "ab\xED\xA0\x80"); });
}

TEST(List, DedupsAndSorts)
{
    const auto list = [](std::initializer_list<SetStep> set, std::vector<std::string_view> texts) {
        normalize_list(set, texts);
        return texts;
    };
    using Texts = std::vector<std::string_view>;
    const std::string astral = utf8(0x1F600), bmp = utf8(0xE000);
    EXPECT_EQ(list({SetStep::dedup, SetStep::keep_order}, {"b", "a", "b", "c", "a"}),
              (Texts{"b", "a", "c"}));
    EXPECT_EQ(list({SetStep::keep_order}, {"b", "a", "b"}), (Texts{"b", "a", "b"}));
    EXPECT_EQ(list({SetStep::sort_utf16}, {"b", bmp, "a", astral, "b"}),
              (Texts{"a", "b", "b", astral, bmp}));
    EXPECT_EQ(list({SetStep::dedup, SetStep::sort_codepoint}, {"b", astral, "a", bmp, "b"}),
              (Texts{"a", "b", bmp, astral}));
    EXPECT_EQ(list({SetStep::dedup, SetStep::sort_utf16}, {}), Texts{});
}

TEST(List, IsTheSameForEveryPermutation)
{
    std::vector<std::string_view> texts{"a", "a", "B", "é", "b", ""};
    std::sort(texts.begin(), texts.end());
    const std::vector<std::string_view> expected{"", "B", "a", "b", "é"};
    do {
        auto copy = texts;
        normalize_list({SetStep::dedup, SetStep::sort_utf16}, copy);
        ASSERT_EQ(copy, expected);
    } while (std::next_permutation(texts.begin(), texts.end()));
}
