// What the doctor says of a store's sweeps.
#pragma once

#include <vector>

#include "observe/doctor.hpp"
#include "store/store.hpp"

namespace arbiter::observe {

void examine_sweeps(store::Store &store, std::vector<Finding> &findings);

} // namespace arbiter::observe
