// The input of a fuzzer in lines.
#pragma once

#include <string_view>

inline std::string_view take_until(std::string_view &text, char end)
{
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

inline std::string_view take_line(std::string_view &text)
{
    return take_until(text, '\n');
}
