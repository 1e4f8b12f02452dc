#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

// printf into a string: figures in a report are aligned by width and precision.
std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));

std::string trim(std::string_view s);
std::vector<std::string> words(std::string_view s);
std::vector<std::string> split(std::string_view s, char separator);
std::string join(const std::vector<std::string> &parts, std::string_view separator);

} // namespace bench
