#include "identity/step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "../expect_failure.hpp"
#include "identity/normalize.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

const char *const kVocabulary[] = {"trim_js25",
                                   "trim_ascii",
                                   "lower_ascii",
                                   "upper_ascii",
                                   "remove_chars(\"- .\")",
                                   "remove_chars(\" \")",
                                   "remove_chars(\"a\")",
                                   "remove_chars(\"Aa\")",
                                   "remove_chars(\"B\")",
                                   "require_ascii_printable",
                                   "refuse_invisible",
                                   "drop_empty",
                                   "refuse_empty"};

bool accepted(const std::vector<Step> &steps)
{
    try {
        check_text_steps(steps);
        return true;
    } catch (const Failure &) {
        return false;
    }
}

// Empty: dropped; "!": refused.
std::string outcome(const std::vector<Step> &steps, const std::string &text)
{
    Scratch scratch;
    scratch.begin(text.size());
    try {
        const auto result = normalize_text(steps, text, {"p"}, scratch);
        return result ? '=' + std::string(*result) : "";
    } catch (const Failure &) {
        return "!";
    }
}

// Short texts of the characters that matter to the steps.
std::vector<std::string> texts()
{
    const char *const alphabet[] = {"a", "A",  "b",        "B", "-",
                                    " ", "\t", "\xC2\xA0", "é", "\xE2\x80\x8B"};
    std::vector<std::string> result{""};
    for (std::size_t size = 0, begin = 0; size < 3; ++size) {
        const std::size_t end = result.size();
        for (; begin < end; ++begin)
            for (const char *c : alphabet)
                result.push_back(result[begin] + c);
    }
    return result;
}

bool idempotent(const std::vector<Step> &steps, const std::vector<std::string> &texts)
{
    return std::all_of(texts.begin(), texts.end(), [&](const std::string &text) {
        const std::string once = outcome(steps, text);
        return once.empty() || once == "!" || outcome(steps, once.substr(1)) == once;
    });
}

// All lists of up to three different words.
template <typename Body>
void for_each_list(Body body)
{
    const std::size_t words = std::size(kVocabulary);
    for (std::size_t a = 0; a < words; ++a)
        for (std::size_t b = 0; b < words; ++b)
            for (std::size_t c = 0; c < words; ++c)
                if (a != b && b != c && a != c)
                    body({kVocabulary[a], kVocabulary[b], kVocabulary[c]});
}

} // namespace

TEST(Step, IsWrittenAsItWasRead)
{
    for (const char *text : kVocabulary)
        EXPECT_EQ(to_string(parse_step(text)), text);
    for (const char *text : {"dedup", "sort_utf16", "sort_codepoint", "keep_order"})
        EXPECT_EQ(to_string(parse_set_step(text)), text);
    EXPECT_EQ(to_string(parse_step("remove_chars( \"\\u002d\" )")), "remove_chars(\"-\")");
}

TEST(Step, RefusesUnknownOnes)
{
    for (const char *text :
         {"", "trim", "TRIM_JS25", "trim_js25 ", "nfc_u13", "remove_chars", "remove_chars()",
          "remove_chars(\"\")", "remove_chars(5)", "remove_chars(-)", "remove_chars(\"é\")",
          "remove_chars(\"--\")", "remove_chars(\"a\""})
        EXPECT_THROW(parse_step(text), Failure) << text;
    expect_failure(sqlstate::kInvalidParameterValue, "unknown step \"trim\"",
                   [] { parse_step("trim"); });
    expect_failure(sqlstate::kInvalidParameterValue, "unknown set step \"sort\"",
                   [] { parse_set_step("sort"); });
}

TEST(Step, EveryAcceptedOrderIsIdempotent)
{
    const auto inputs = texts();
    int accepted_lists = 0;
    for_each_list([&](const std::vector<std::string> &names) {
        std::vector<Step> steps;
        std::transform(names.begin(), names.end(), std::back_inserter(steps), parse_step);
        if (!accepted(steps))
            return;
        ++accepted_lists;
        ASSERT_TRUE(idempotent(steps, inputs)) << names[0] << ' ' << names[1] << ' ' << names[2];
    });
    EXPECT_GT(accepted_lists, 200);
}

TEST(Step, EveryRefusedPairRepeatsContradictsOrIsNotIdempotent)
{
    const auto inputs = texts();
    for (const char *first : kVocabulary)
        for (const char *second : kVocabulary) {
            const std::vector<Step> steps{parse_step(first), parse_step(second)};
            if (accepted(steps))
                continue;
            const bool order_free = !accepted({parse_step(second), parse_step(first)});
            EXPECT_TRUE(order_free || !idempotent(steps, inputs)) << first << ' ' << second;
        }
}

TEST(Step, NamesWhatIsWrongWithAnOrder)
{
    const auto check = [](std::initializer_list<std::string_view> names) {
        std::vector<Step> steps;
        for (const auto name : names)
            steps.push_back(parse_step(name));
        check_text_steps(steps);
    };
    const auto code = sqlstate::kInvalidParameterValue;
    expect_failure(code, "step trim_js25 cannot come before remove_chars", [&] {
        check({"trim_js25", "remove_chars(\"-\")"});
    });
    expect_failure(code, "step drop_empty cannot come before trim_js25", [&] {
        check({"drop_empty", "trim_js25"});
    });
    expect_failure(code, "step remove_chars cannot come before lower_ascii", [&] {
        check({"remove_chars(\"x\")", "lower_ascii"});
    });
    expect_failure(code, "lower_ascii and upper_ascii exclude", [&] {
        check({"lower_ascii", "upper_ascii"});
    });
    expect_failure(code, "step trim_js25 occurs twice", [&] { check({"trim_js25", "trim_js25"}); });
}

TEST(Step, AListSaysExactlyOneOrder)
{
    using S = SetStep;
    for (const std::vector<S> &set : {std::vector<S>{S::sort_utf16},
                                      {S::dedup, S::sort_codepoint},
                                      {S::keep_order},
                                      {S::dedup, S::keep_order}})
        EXPECT_NO_THROW(check_list_steps({}, set));
    for (const std::vector<S> &set : {std::vector<S>{},
                                      {S::dedup},
                                      {S::dedup, S::dedup},
                                      {S::sort_utf16, S::dedup},
                                      {S::sort_utf16, S::sort_codepoint},
                                      {S::dedup, S::keep_order, S::sort_utf16}})
        expect_failure(sqlstate::kInvalidParameterValue, "do not say one order",
                       [&] { check_list_steps({}, set); });
}
