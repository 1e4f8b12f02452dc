#include "identity/utf16_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

std::u16string to_utf16(std::string_view text)
{
    std::u16string out;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (point.value >= 0x10000) {
            out += static_cast<char16_t>(0xD800 + ((point.value - 0x10000) >> 10));
            out += static_cast<char16_t>(0xDC00 + ((point.value - 0x10000) & 0x3FF));
        } else {
            out += static_cast<char16_t>(point.value);
        }
        text.remove_prefix(point.size);
    }
    return out;
}

int sign(int value)
{
    return (value > 0) - (value < 0);
}

std::string utf8(std::initializer_list<char32_t> points)
{
    std::string text;
    for (const char32_t point : points)
        append_utf8(text, point);
    return text;
}

} // namespace

TEST(Utf16Order, SortsAstralBeforeTheEndOfTheBmp)
{
    std::vector<std::string> texts{
        utf8({0xFF5E}), utf8({0xE000}), utf8({0x1F600}), utf8({0xD7FF}), "é", "z", "Z"};
    std::sort(texts.begin(), texts.end(),
              [](const auto &a, const auto &b) { return compare_utf16(a, b) < 0; });
    EXPECT_EQ(texts, (std::vector<std::string>{"Z", "z", "é", utf8({0xD7FF}), utf8({0x1F600}),
                                               utf8({0xE000}), utf8({0xFF5E})}));
}

TEST(Utf16Order, IsTheOrderOfTheUtf16Strings)
{
    const char32_t interesting[] = {0x00,    0x7F,    0x80,     0x7FF,   0x800,   0xFFF,
                                    0x1000,  0xCFFF,  0xD7FF,   0xE000,  0xEFFF,  0xF000,
                                    0xFFFF,  0x10000, 0x103FF,  0x10400, 0x1F600, 0x3FFFF,
                                    0x40000, 0xFFFFF, 0x100000, 0x10FFFF};
    std::mt19937 random(2);
    std::vector<std::string> texts{""};
    for (const char32_t a : interesting)
        for (const char32_t b : interesting)
            texts.push_back(utf8({a, b}));
    for (const char32_t a : interesting)
        texts.push_back(utf8({a}));
    for (const std::string &a : texts)
        for (const std::string &b : texts) {
            ASSERT_EQ(sign(compare_utf16(a, b)), sign(to_utf16(a).compare(to_utf16(b))))
                << a << " " << b;
        }
}
