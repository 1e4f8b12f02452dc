// What a guard promises: at most one row per values of the columns, among those of the predicate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/wording.hpp"

namespace arbiter::guard {

struct Definition {
    std::vector<std::string> columns;
    // In the server's own spelling; nothing where it is about all rows.
    std::optional<std::string> predicate;
    // Nothing for an index that is not a guard yet.
    std::optional<Wording> wording;
};

// 22023 for what can be no guard: no column, one twice, an empty message or hint.
void check(const Definition &given);

// A sentence that names the first difference, empty if there is none. A wording that does not exist
// yet is none: the index becomes a guard by getting one.
std::string difference(const Definition &existing, const Definition &given);

} // namespace arbiter::guard
