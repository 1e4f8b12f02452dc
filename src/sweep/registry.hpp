// Making, dropping and finding sweeps.
#pragma once

#include <string>
#include <string_view>

#include "store/store.hpp"
#include "sweep/definition.hpp"

namespace arbiter::sweep {

enum class Made { created, existed };

// Identical again is `existed`, another definition is 42710. 42704 for a machine or command that
// there is none of.
Made create(store::Store &store, std::string_view name, const Definition &given);

// With what it remembers. 42704 where there is none.
void drop(store::Store &store, std::string_view name);

// As it stands, ready to be put into SQL. 42704 where there is none.
Definition find(store::Store &store, std::string_view name);

} // namespace arbiter::sweep
