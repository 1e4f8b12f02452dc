// Whether a sweep finds its rows without reading the whole table.
#pragma once

#include <string>

#include "sweep/definition.hpp"

namespace arbiter::sweep {

// An index of the table has its predicate or its order. The definition is a prepared one; the
// current role may read the table, otherwise 42501.
bool has_index(const Definition &definition);
// The statement that would make one.
std::string create_index(const Definition &definition);

} // namespace arbiter::sweep
