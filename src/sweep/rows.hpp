// The rows that are due: a hint. Whether the command may still come, the machine decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.hpp"
#include "sweep/definition.hpp"

namespace arbiter::sweep {

// A moment as the server counts them.
using Time = std::int64_t;

// Keys of rows that are due, that nobody has locked, and that did not rest at that moment, in the
// sweep's order. Locks them to the end of the transaction, so that others find others.
std::vector<std::string> find_due(store::Store &store, std::string_view sweep,
                                  const Definition &definition, Time began, std::int64_t max_count);

// Locks one of them, if all that is still so.
bool lock_if_due(store::Store &store, std::string_view sweep, const Definition &definition,
                 Time began, std::string_view key);

} // namespace arbiter::sweep
