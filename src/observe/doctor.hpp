// What is wrong with a store, in words a person can act on. Reads everything, changes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arbiter::observe {

enum class Severity { error, warning };

struct Finding {
    Severity severity;
    std::string subject;
    std::string problem;
    std::string remedy; // SQL where SQL is enough, a sentence where not
};

// Nothing found: the store is well.
std::vector<Finding> examine(std::string_view store);

} // namespace arbiter::observe
