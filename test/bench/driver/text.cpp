#include "text.hpp"

#include <cstdarg>
#include <cstdio>

namespace bench {

std::string text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    const int length = std::vsnprintf(nullptr, 0, format, args);
    va_end(args);
    std::string result(static_cast<size_t>(length), '\0');
    std::vsnprintf(result.data(), result.size() + 1, format, again);
    va_end(again);
    return result;
}

std::string trim(std::string_view s)
{
    const auto first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return std::string(s.substr(first, s.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> words(std::string_view s)
{
    std::vector<std::string> result;
    for (const std::string &part : split(s, ' '))
        if (!part.empty())
            result.push_back(part);
    return result;
}

std::vector<std::string> split(std::string_view s, char separator)
{
    std::vector<std::string> result;
    size_t from = 0;
    for (size_t to; (to = s.find(separator, from)) != std::string_view::npos; from = to + 1)
        result.emplace_back(trim(s.substr(from, to - from)));
    result.emplace_back(trim(s.substr(from)));
    return result;
}

std::string join(const std::vector<std::string> &parts, std::string_view separator)
{
    std::string result;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            result += separator;
        result += parts[i];
    }
    return result;
}

} // namespace bench
