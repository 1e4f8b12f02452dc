#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bench {
namespace {

double at_fraction(const std::vector<double> &sorted, double fraction)
{
    if (sorted.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double rank = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(rank);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (rank - static_cast<double>(below));
}

} // namespace

Quartiles quartiles(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    std::sort(values.begin(), values.end());
    return {at_fraction(values, 0.25), at_fraction(values, 0.5), at_fraction(values, 0.75)};
}

} // namespace bench
