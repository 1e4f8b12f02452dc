// Running a sweep: the command for each row that is due, one commit a row.
#pragma once

#include <cstdint>
#include <string>

#include "pg/procedure.hpp"

namespace arbiter::sweep {

struct Swept {
    std::int64_t done = 0;
    std::int64_t already = 0; // somebody else did it
    std::int64_t failed = 0;
};

// Until max_count are done or no row is left that is due. Each row is tried once at most; what came
// to nothing rests, and does not count towards max_count. 55000 for a sweep without a machine.
Swept run(pg::Procedure &procedure, const std::string &store, const std::string &sweep,
          std::int64_t max_count);

// 22023 unless it is positive.
void check_max_count(std::int64_t max_count);

} // namespace arbiter::sweep
