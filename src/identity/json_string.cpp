#include "identity/json_string.hpp"

#include <cstdint>
#include <cstring>

namespace arbiter::identity {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = 0x8080808080808080U;

constexpr bool needs_escape(char c) noexcept
{
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Whether any octet of the word is under 0x20, a quote or a backslash. (x - n*ones) & ~x & highs is
// the usual test for "some octet is less than n"; it may name the wrong octet, never the wrong
// answer.
constexpr bool any_needs_escape(std::uint64_t word) noexcept
{
    const std::uint64_t quote = word ^ (kOnes * '"');
    const std::uint64_t backslash = word ^ (kOnes * '\\');
    const std::uint64_t control = (word - kOnes * 0x20) & ~word;
    return ((control | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHighs) !=
           0;
}

std::size_t plain_prefix(std::string_view text) noexcept
{
    std::size_t at = 0;
    std::uint64_t word;
    while (at + sizeof word <= text.size()) {
        std::memcpy(&word, text.data() + at, sizeof word);
        if (any_needs_escape(word))
            break;
        at += sizeof word;
    }
    while (at < text.size() && !needs_escape(text[at]))
        ++at;
    return at;
}

void append_escape(std::string &out, char c)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    out += '\\';
    switch (c) {
    case '"':
    case '\\':
        out += c;
        return;
    case '\b':
        out += 'b';
        return;
    case '\t':
        out += 't';
        return;
    case '\n':
        out += 'n';
        return;
    case '\f':
        out += 'f';
        return;
    case '\r':
        out += 'r';
        return;
    default:
        out += "u00";
        out += kDigits[c >> 4];
        out += kDigits[c & 0x0F];
    }
}

} // namespace

void append_json_string(std::string &out, std::string_view text)
{
    if (plain_prefix(text) == text.size()) { // nearly every text: one growth, one copy
        const std::size_t at = out.size();
        out.append(text.size() + 2, '"');
        text.copy(out.data() + at + 1, text.size());
        return;
    }
    out += '"';
    for (;;) {
        const std::size_t plain = plain_prefix(text);
        out.append(text.data(), plain);
        if (plain == text.size())
            break;
        append_escape(out, text[plain]);
        text.remove_prefix(plain + 1);
    }
    out += '"';
}

void append_json_array(std::string &out, std::span<const std::string_view> texts)
{
    char separator = '[';
    for (const std::string_view text : texts) {
        out += separator;
        append_json_string(out, text);
        separator = ',';
    }
    out += texts.empty() ? "[]" : "]";
}

} // namespace arbiter::identity
