#include "base/quote.hpp"

namespace arbiter {

namespace {

std::string quote(std::string_view value, char quote)
{
    std::string quoted;
    quoted.reserve(value.size() + 2);
    quoted += quote;
    for (char c : value) {
        if (c == quote)
            quoted += quote;
        quoted += c;
    }
    quoted += quote;
    return quoted;
}

} // namespace

std::string quote_identifier(std::string_view name)
{
    return quote(name, '"');
}

std::string quote_literal(std::string_view value)
{
    if (value.find('\\') == std::string_view::npos)
        return quote(value, '\'');
    return "E" + quote(replace_all(std::string(value), "\\", "\\\\"), '\'');
}

std::string dollar_tag(std::string_view stem, std::string_view text)
{
    std::string tag = "$" + std::string(stem) + "$";
    for (int n = 1; text.find(tag) != std::string_view::npos; ++n)
        tag = "$" + std::string(stem) + std::to_string(n) + "$";
    return tag;
}

std::string replace_all(std::string text, std::string_view key, std::string_view value)
{
    for (std::size_t at = text.find(key); at != std::string::npos;
         at = text.find(key, at + value.size()))
        text.replace(at, key.size(), value);
    return text;
}

} // namespace arbiter
