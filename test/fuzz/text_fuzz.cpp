// The small readers: ids, quotes, UTF-8 and its order in UTF-16, each held against a plain way to
// say the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/quote.hpp"
#include "base/utf8.hpp"
#include "base/uuid.hpp"
#include "identity/utf16_order.hpp"
#include "take.hpp"

using namespace arbiter;

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void check_uuid(std::string_view text)
{
    const auto uuid = parse_uuid(text);
    if (!uuid)
        return;
    std::string lower(text);
    for (char &c : lower)
        if (c >= 'A' && c <= 'F')
            c = static_cast<char>(c - 'A' + 'a');
    require(to_string(*uuid) == lower);
}

// As the server reads it.
std::string unquoted(std::string_view quoted, char quote, bool escapes)
{
    std::string text;
    require(quoted.size() >= 2 && quoted.front() == quote && quoted.back() == quote);
    quoted = quoted.substr(1, quoted.size() - 2);
    for (std::size_t i = 0; i < quoted.size(); ++i) {
        text += quoted[i];
        if (quoted[i] == quote || (escapes && quoted[i] == '\\')) {
            ++i;
            require(i < quoted.size() && quoted[i] == text.back());
        }
    }
    return text;
}

void check_quotes(std::string_view text)
{
    require(unquoted(quote_identifier(text), '"', false) == text);
    std::string literal = quote_literal(text);
    const bool escapes = literal.front() == 'E';
    // Without the E, what a backslash means would be the session's to say.
    require(escapes == (text.find('\\') != std::string_view::npos));
    require(unquoted(std::string_view(literal).substr(escapes), '\'', escapes) == text);
}

// Empty where it is malformed.
std::u16string utf16(std::string_view text)
{
    std::u16string units;
    std::string again;
    for (std::string_view rest = text; !rest.empty();) {
        const CodePoint point = first_code_point(rest);
        require((find_malformed_utf8(rest.substr(0, point.size)) == kWellFormed));
        if (point.size == 0) {
            require(find_malformed_utf8(text) == text.size() - rest.size());
            return {};
        }
        const CodePoint last =
            last_code_point(text.substr(0, text.size() - rest.size() + point.size));
        require(last.value == point.value && last.size == point.size);
        append_utf8(again, point.value);
        if (point.value >= 0x10000) {
            units += static_cast<char16_t>(0xD800 + ((point.value - 0x10000) >> 10));
            units += static_cast<char16_t>(0xDC00 + ((point.value - 0x10000) & 0x3FF));
        } else {
            units += static_cast<char16_t>(point.value);
        }
        rest.remove_prefix(point.size);
    }
    require(find_malformed_utf8(text) == kWellFormed && again == text);
    return units;
}

int sign(int number)
{
    return (number > 0) - (number < 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text{reinterpret_cast<const char *>(data), size};
    check_uuid(text);
    check_quotes(text);
    std::string_view right = text;
    const std::string_view left = take_line(right);
    const std::u16string left_units = utf16(left), right_units = utf16(right);
    if (!left_units.empty() && !right_units.empty())
        require(sign(identity::compare_utf16(left, right)) ==
                sign(left_units.compare(right_units)));
    return 0;
}
