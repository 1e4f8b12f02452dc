// What a person should know of a store's projections: what stands still, and what is owed.
#pragma once

#include <vector>

#include "observe/doctor.hpp"
#include "store/store.hpp"

namespace arbiter::observe {

void examine_projections(store::Store &store, std::vector<Finding> &findings);

} // namespace arbiter::observe
