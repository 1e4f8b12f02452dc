#include "base/version.hpp"

#include <charconv>
#include <vector>

namespace arbiter {

namespace {

std::vector<int> numbers_of(std::string_view version)
{
    std::vector<int> numbers;
    const char *at = version.data();
    const char *const end = at + version.size();
    for (int number = 0;; ++at) {
        auto const [rest, error] = std::from_chars(at, end, number);
        if (error != std::errc{})
            return numbers;
        numbers.push_back(number);
        at = rest;
        if (at == end || *at != '.')
            return numbers;
    }
}

} // namespace

bool is_older(std::string_view version, std::string_view other)
{
    return numbers_of(version) < numbers_of(other);
}

} // namespace arbiter
