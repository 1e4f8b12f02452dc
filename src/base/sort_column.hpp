// A column that rows are sorted by.
#pragma once

#include <string>

namespace arbiter {

struct SortColumn {
    std::string name;
    bool descending = false;
    bool nulls_first = false;
    friend bool operator==(const SortColumn &, const SortColumn &) = default;
};

} // namespace arbiter
