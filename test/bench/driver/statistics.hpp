#pragma once

#include <vector>

namespace bench {

struct Quartiles {
    double low;
    double median;
    double high;
};

// Linear interpolation between ranks; not-a-number entries are left out, an empty list gives
// not-a-number.
Quartiles quartiles(std::vector<double> values);

inline double median(std::vector<double> values)
{
    return quartiles(std::move(values)).median;
}

} // namespace bench
