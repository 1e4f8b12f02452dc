#include "identity/language.hpp"

#include <string_view>

namespace arbiter::identity {
namespace {

constexpr std::string_view kSpaces = "\t\n\v\f\r ";
constexpr std::string_view kHexDigits = "0123456789abcdef";

constexpr std::size_t symbol(char c) noexcept
{
    return static_cast<unsigned char>(c);
}

// What the steps leave possible in a text.
struct TextRule {
    std::array<bool, kSymbols> allowed{};
    bool trimmed = false;
    bool never_empty = false;

    bool edge_only_inside(std::size_t s) const noexcept
    {
        return trimmed && s < 128 && kSpaces.find(static_cast<char>(s)) != std::string_view::npos;
    }
};

void forbid_range(TextRule &rule, std::size_t first, std::size_t last) noexcept
{
    for (std::size_t s = first; s <= last; ++s)
        rule.allowed[s] = false;
}

void restrict(TextRule &rule, const Step &step) noexcept
{
    switch (step.kind) {
    case StepKind::trim_js25:
    case StepKind::trim_ascii:
        rule.trimmed = true;
        break;
    case StepKind::lower_ascii:
        forbid_range(rule, 'A', 'Z');
        break;
    case StepKind::upper_ascii:
        forbid_range(rule, 'a', 'z');
        break;
    case StepKind::remove_chars:
        for (const char c : step.chars)
            rule.allowed[symbol(c)] = false;
        break;
    case StepKind::require_ascii_printable:
        rule.allowed[kBeyondAscii] = false;
        [[fallthrough]];
    case StepKind::refuse_invisible:
        forbid_range(rule, 0x00, 0x1F);
        rule.allowed[0x7F] = false;
        break;
    case StepKind::drop_empty:
    case StepKind::refuse_empty:
        rule.never_empty = true;
        break;
    }
}

TextRule rule_of(const Part &part) noexcept
{
    TextRule rule;
    rule.allowed.fill(true);
    rule.allowed[0] = false; // no text holds it
    for (const Step &step : part.each)
        restrict(rule, step);
    return rule;
}

Automaton text_language(const TextRule &rule)
{
    Automaton text;
    const int start = text.add_state(!rule.never_empty);
    const int inside = text.add_state(true);
    const int spaced = text.add_state(false); // a space that something must follow
    for (std::size_t s = 0; s < kSymbols; ++s) {
        if (!rule.allowed[s])
            continue;
        const bool space = rule.edge_only_inside(s);
        text.on(start, s, space ? kNowhere : inside);
        text.on(inside, s, space ? spaced : inside);
        text.on(spaced, s, space ? spaced : inside);
    }
    return text;
}

// The escapes leaving one state of a JSON string; `inside` and `space` are where a character leads.
void add_escapes(Automaton &json, const TextRule &rule, int from, int inside, int space)
{
    static constexpr std::string_view kShort = "\b\t\n\f\r";
    const auto lead = [&](int state, char written, std::size_t meant) {
        if (rule.allowed[meant])
            json.on(state, symbol(written), rule.edge_only_inside(meant) ? space : inside);
    };
    const int escaped = json.add_state(false);
    json.on(from, '\\', escaped);
    lead(escaped, '"', '"');
    lead(escaped, '\\', '\\');
    for (std::size_t i = 0; i < kShort.size(); ++i)
        lead(escaped, "btnfr"[i], symbol(kShort[i]));
    const int u = json.add_state(false), u0 = json.add_state(false), u00 = json.add_state(false);
    json.on(escaped, 'u', u);
    json.on(u, '0', u0);
    json.on(u0, '0', u00);
    for (std::size_t high = 0; high < 2; ++high) {
        const int last = json.add_state(false);
        json.on(u00, symbol(kHexDigits[high]), last);
        for (std::size_t low = 0; low < 16; ++low)
            if (kShort.find(static_cast<char>(high * 16 + low)) == std::string_view::npos)
                lead(last, kHexDigits[low], high * 16 + low);
    }
}

// From `before`, which the opening quote leaves, to `after`, which the closing quote reaches.
void add_json_string(Automaton &json, const TextRule &rule, int before, int after)
{
    const int start = json.add_state(false);
    const int inside = json.add_state(false);
    const int spaced = json.add_state(false);
    json.on(before, '"', start);
    for (std::size_t s = 0x20; s < kSymbols; ++s) {
        if (!rule.allowed[s] || s == '"' || s == '\\')
            continue;
        const bool space = rule.edge_only_inside(s);
        json.on(start, s, space ? kNowhere : inside);
        json.on(inside, s, space ? spaced : inside);
        json.on(spaced, s, space ? spaced : inside);
    }
    add_escapes(json, rule, start, inside, kNowhere);
    add_escapes(json, rule, inside, inside, spaced);
    add_escapes(json, rule, spaced, inside, spaced);
    json.on(inside, '"', after);
    if (!rule.never_empty)
        json.on(start, '"', after);
}

Automaton json_string_language(const TextRule &rule)
{
    Automaton json;
    const int before = json.add_state(false);
    const int after = json.add_state(true);
    add_json_string(json, rule, before, after);
    return json;
}

Automaton json_list_language(const TextRule &rule)
{
    Automaton json;
    const int before = json.add_state(false);
    const int opened = json.add_state(false);
    const int element = json.add_state(false);
    const int after = json.add_state(false);
    const int closed = json.add_state(true);
    json.on(before, '[', opened);
    json.on(opened, ']', closed);
    add_json_string(json, rule, opened, after);
    add_json_string(json, rule, element, after);
    json.on(after, ',', element);
    json.on(after, ']', closed);
    return json;
}

Automaton uuid_language(bool in_quotes)
{
    static constexpr std::string_view kForm = "\"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\"";
    const std::string_view form = in_quotes ? kForm : kForm.substr(1, kForm.size() - 2);
    Automaton uuid;
    int state = uuid.add_state(false);
    for (std::size_t i = 0; i < form.size(); ++i) {
        const int following = uuid.add_state(i + 1 == form.size());
        if (form[i] == 'x') {
            for (const char digit : kHexDigits)
                uuid.on(state, symbol(digit), following);
        } else {
            uuid.on(state, symbol(form[i]), following);
        }
        state = following;
    }
    return uuid;
}

// 0 or -?[1-9][0-9]*; more digits than 2^53 - 1 has do no harm.
Automaton integer_language()
{
    Automaton integer;
    const int start = integer.add_state(false);
    const int minus = integer.add_state(false);
    const int zero = integer.add_state(true);
    const int digits = integer.add_state(true);
    integer.on(start, '-', minus);
    integer.on(start, '0', zero);
    integer.on(digits, '0', digits);
    for (char digit = '1'; digit <= '9'; ++digit)
        for (const int state : {start, minus, digits})
            integer.on(state, symbol(digit), digits);
    return integer;
}

Automaton boolean_language()
{
    Automaton boolean;
    const int start = boolean.add_state(false);
    const int end = boolean.add_state(true);
    for (const std::string_view word : {std::string_view("true"), std::string_view("false")}) {
        int state = start;
        for (std::size_t i = 0; i < word.size(); ++i) {
            const int following = i + 1 == word.size() ? end : boolean.add_state(false);
            boolean.on(state, symbol(word[i]), following);
            state = following;
        }
    }
    return boolean;
}

} // namespace

int Automaton::add_state(bool accepts)
{
    next.emplace_back().fill(kNowhere);
    accepting.push_back(accepts);
    return static_cast<int>(next.size()) - 1;
}

Automaton literal_language(char c)
{
    Automaton literal;
    const int start = literal.add_state(false);
    literal.on(start, symbol(c), literal.add_state(true));
    return literal;
}

Automaton part_language(const Part &part, Layout layout)
{
    const bool json = layout == Layout::json;
    switch (part.type) {
    case PartType::text:
        return json ? json_string_language(rule_of(part)) : text_language(rule_of(part));
    case PartType::uuid:
        return uuid_language(json);
    case PartType::bigint:
        return integer_language();
    case PartType::boolean:
        return boolean_language();
    case PartType::text_list:
        return json_list_language(rule_of(part));
    }
    return {};
}

} // namespace arbiter::identity
