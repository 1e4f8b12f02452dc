#include "base/utf8.hpp"

#include <gtest/gtest.h>

using namespace arbiter;

namespace {
bool is_scalar(char32_t point)
{
    return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}
} // namespace

TEST(Utf8, ReadsBackEveryCodePoint)
{
    for (char32_t point = 0; point <= 0x10FFFF; ++point) {
        std::string text;
        append_utf8(text, point);
        const CodePoint first = first_code_point(text);
        const CodePoint last = last_code_point("x" + text);
        if (is_scalar(point)) {
            ASSERT_EQ(first.value, point);
            ASSERT_EQ(first.size, text.size());
            ASSERT_EQ(last.value, point);
            ASSERT_EQ(last.size, text.size());
            ASSERT_EQ(find_malformed_utf8(text), kWellFormed);
        } else { // a surrogate, written as CESU-8 would
            ASSERT_EQ(first.size, 0U);
            ASSERT_EQ(find_malformed_utf8("ok" + text), 2U);
        }
    }
}

TEST(Utf8, RefusesMalformedSequences)
{
    using namespace std::string_literals;
    for (const std::string &text :
         {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xE0\x80\x80"s, "\xE0\x9F\xBF"s,
          "\xF0\x80\x80\x80"s, "\xF0\x8F\xBF\xBF"s, "\xED\xA0\x80\xED\xB0\x80"s,
          "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFE"s, "\xFF"s, "\xC3"s, "\xE2\x82"s,
          "\xF0\x9F\x98"s, "\xC3("s, "\xE2(\xA1"s, "\xE2\x82("s}) {
        EXPECT_EQ(find_malformed_utf8("12345678" + text), 8U);
        EXPECT_EQ(find_malformed_utf8("1234567" + text + "abc"), 7U);
        EXPECT_EQ(first_code_point(text).size, 0U);
    }
}

TEST(Utf8, FindsTheEndOfATruncatedOrLongRun)
{
    EXPECT_EQ(last_code_point("").size, 0U);
    EXPECT_EQ(last_code_point("a\x80").size, 0U);
    EXPECT_EQ(last_code_point("\x80\x80\x80\x80\x80").size, 0U);
    EXPECT_EQ(last_code_point("é").size, 2U);
}

TEST(Utf8, NamesCodePoints)
{
    EXPECT_EQ(code_point_name(0xE9), "U+00E9");
    EXPECT_EQ(code_point_name(0x1F600), "U+1F600");
}
