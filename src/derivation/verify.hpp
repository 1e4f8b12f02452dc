// Recomputes everything that derivations promise. Reads, changes nothing.
#pragma once

#include <string>
#include <vector>

#include "store/store.hpp"

namespace arbiter::derivation {

enum class Verdict { ok, dropped, drift };

struct Finding {
    std::string derivation;
    Verdict verdict;
    std::string problem; // empty unless drift
    std::string remedy;
};

// One row for each derivation that is well, one for each problem of the others.
std::vector<Finding> verify(store::Store &store);

const char *verdict_name(Verdict verdict) noexcept;

} // namespace arbiter::derivation
