#include "identity/step.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/json.hpp"
#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

struct StepName {
    std::string_view text;
    StepKind kind;
};

constexpr StepName kStepNames[] = {
    {"trim_js25", StepKind::trim_js25},
    {"trim_ascii", StepKind::trim_ascii},
    {"lower_ascii", StepKind::lower_ascii},
    {"upper_ascii", StepKind::upper_ascii},
    {"remove_chars", StepKind::remove_chars},
    {"require_ascii_printable", StepKind::require_ascii_printable},
    {"refuse_invisible", StepKind::refuse_invisible},
    {"drop_empty", StepKind::drop_empty},
    {"refuse_empty", StepKind::refuse_empty},
};

struct SetStepName {
    std::string_view text;
    SetStep step;
};

constexpr SetStepName kSetStepNames[] = {
    {"dedup", SetStep::dedup},
    {"sort_utf16", SetStep::sort_utf16},
    {"sort_codepoint", SetStep::sort_codepoint},
    {"keep_order", SetStep::keep_order},
};

template <typename Names>
std::string list_names(const Names &names)
{
    std::string list;
    for (const auto &name : names) {
        list += list.empty() ? "" : ", ";
        list += name.text;
    }
    return list;
}

std::string_view name_of(StepKind kind) noexcept
{
    return std::find_if(std::begin(kStepNames), std::end(kStepNames),
                        [kind](const StepName &name) { return name.kind == kind; })
        ->text;
}

[[noreturn]] void refuse_unknown(std::string_view text)
{
    throw Failure(sqlstate::kInvalidParameterValue, "unknown step \"" + std::string(text) + "\"",
                  {},
                  "The steps for a text are: " + list_names(kStepNames) +
                      ". remove_chars lists its characters, as in remove_chars(\"- .\").");
}

[[noreturn]] void refuse_order(std::string_view first, std::string_view second, std::string why)
{
    throw Failure(sqlstate::kInvalidParameterValue,
                  "step " + std::string(first) + " cannot come before " + std::string(second),
                  std::move(why), "Swap the two.");
}

[[noreturn]] void refuse_pair(std::string_view one, std::string_view other)
{
    throw Failure(sqlstate::kInvalidParameterValue, "steps " + std::string(one) + " and " +
                                                        std::string(other) + " exclude each other");
}

Step parse_remove_chars(std::string_view text)
{
    // remove_chars("...") with a JSON string inside, so that every character can be written.
    const std::string_view argument = text.substr(std::string_view("remove_chars(").size());
    const Json listed = read_json(argument.substr(0, argument.size() - 1));
    if (!listed.is(Json::Kind::string) || listed.text.empty())
        refuse_unknown(text);
    Step step{StepKind::remove_chars, listed.text, {}};
    for (const char c : step.chars) {
        if (static_cast<unsigned char>(c) >= 0x80)
            throw Failure(sqlstate::kInvalidParameterValue,
                          "step " + std::string(text) + " lists a character outside ASCII");
        if (step.removed.has(c))
            throw Failure(sqlstate::kInvalidParameterValue,
                          "step " + std::string(text) + " lists a character twice");
        step.removed.add(c);
    }
    return step;
}

bool is_trim(StepKind kind) noexcept
{
    return kind == StepKind::trim_js25 || kind == StepKind::trim_ascii;
}

bool is_case(StepKind kind) noexcept
{
    return kind == StepKind::lower_ascii || kind == StepKind::upper_ascii;
}

bool is_empty_rule(StepKind kind) noexcept
{
    return kind == StepKind::drop_empty || kind == StepKind::refuse_empty;
}

// Both trims strip exactly these among ASCII.
bool removes_only_white_space(const Step &step) noexcept
{
    return step.chars.find_first_not_of("\t\n\v\f\r ") == std::string::npos;
}

// Whether changing the case afterwards can bring back a character that was removed.
bool case_restores(const Step &remove, StepKind change) noexcept
{
    const bool to_lower = change == StepKind::lower_ascii;
    return std::any_of(remove.chars.begin(), remove.chars.end(), [&](char c) {
        const bool is_target = to_lower ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
        return is_target && !remove.removed.has(static_cast<char>(c ^ 0x20));
    });
}

void check_coexistence(const Step &one, const Step &other)
{
    if (one.kind == other.kind)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "step " + std::string(name_of(one.kind)) + " occurs twice");
    const auto both = [&](auto rule) { return rule(one.kind) && rule(other.kind); };
    if (both(is_trim) || both(is_case) || both(is_empty_rule))
        refuse_pair(name_of(one.kind), name_of(other.kind));
}

void check_pair(const Step &first, const Step &second)
{
    check_coexistence(first, second);
    const std::string_view before = name_of(first.kind);
    const std::string_view after = name_of(second.kind);
    if (is_trim(first.kind) && second.kind == StepKind::remove_chars &&
        !removes_only_white_space(second))
        refuse_order(before, after, "Removing a character can uncover white space.");
    if (first.kind == StepKind::remove_chars && is_case(second.kind) &&
        case_restores(first, second.kind))
        refuse_order(before, after, "Changing the case can bring back a removed letter.");
    if (is_empty_rule(first.kind) &&
        (is_trim(second.kind) || second.kind == StepKind::remove_chars))
        refuse_order(before, after, "The later step can leave an empty text.");
}

} // namespace

Step parse_step(std::string_view text)
{
    if (text.starts_with("remove_chars(") && text.ends_with(")"))
        return parse_remove_chars(text);
    for (const StepName &name : kStepNames)
        if (name.text == text && name.kind != StepKind::remove_chars)
            return {name.kind, {}, {}};
    refuse_unknown(text);
}

SetStep parse_set_step(std::string_view text)
{
    for (const SetStepName &name : kSetStepNames)
        if (name.text == text)
            return name.step;
    throw Failure(sqlstate::kInvalidParameterValue,
                  "unknown set step \"" + std::string(text) + "\"", {},
                  "The steps for a list are: " + list_names(kSetStepNames) + ".");
}

std::string to_string(const Step &step)
{
    std::string text(name_of(step.kind));
    if (step.kind == StepKind::remove_chars) {
        text += '(';
        append_json_string(text, step.chars);
        text += ')';
    }
    return text;
}

std::string_view to_string(SetStep step) noexcept
{
    return std::find_if(std::begin(kSetStepNames), std::end(kSetStepNames),
                        [step](const SetStepName &name) { return name.step == step; })
        ->text;
}

void check_text_steps(const std::vector<Step> &steps)
{
    for (std::size_t later = 1; later < steps.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            check_pair(steps[earlier], steps[later]);
}

void check_list_steps(const std::vector<Step> &each, const std::vector<SetStep> &set)
{
    check_text_steps(each);
    std::size_t at = !set.empty() && set.front() == SetStep::dedup ? 1 : 0;
    if (set.size() != at + 1 || set[at] == SetStep::dedup)
        throw Failure(sqlstate::kInvalidParameterValue, "the set steps do not say one order", {},
                      "Write dedup first where it is wanted, then exactly one of sort_utf16, "
                      "sort_codepoint, keep_order.");
}

} // namespace arbiter::identity
