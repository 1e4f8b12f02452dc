// What the doctor says of a store's pools.
#pragma once

#include <vector>

#include "observe/doctor.hpp"
#include "store/store.hpp"

namespace arbiter::observe {

void examine_pools(store::Store &store, std::vector<Finding> &findings);

} // namespace arbiter::observe
