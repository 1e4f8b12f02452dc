#pragma once

#include "generator.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bench {

// What a :name stands for: a generated value, or a column that an earlier statement of the same
// call returned.
struct Captured {
    std::string column;
};
using Argument = std::variant<Source, Captured>;

struct Statement {
    std::string sql;                 // with $1, $2, … in place of the names
    std::vector<Argument> arguments; // what they stand for
    std::vector<std::string> row;    // COPY only: the fields of each line
    bool is_copy() const { return !row.empty(); }
};

// Finds the :names outside quotes and casts. The same name twice is the same parameter.
Statement parse_statement(std::string_view sql);

} // namespace bench
