// All projections of a store that are run here, until they have caught up.
#pragma once

#include <cstdint>
#include <string>

#include "pg/procedure.hpp"

namespace arbiter::projection {

struct RanAll {
    std::int64_t applied = 0;
    std::int64_t failed = 0;
};

// Commits after each batch. Leaves out those whose owner's rights the caller does not have, with a
// NOTICE, and those that another session is running. Where one cannot be run, a WARNING says why,
// the others are run, and the error is thrown in the end.
RanAll run_all(pg::Procedure &procedure, const std::string &store, std::int64_t max_count);

} // namespace arbiter::projection
