// Which pools a store has.
#pragma once

#include <string>
#include <string_view>

#include "pool/definition.hpp"
#include "store/store.hpp"

namespace arbiter::pool {

enum class Made { created, existed };

// Puts the trigger on the table. Identical again is `existed`, another definition is 42710.
Made create(store::Store &store, std::string_view name, const Definition &given);

// 2BP01 while somebody owns a row, unless forced. The rows stay as they are, and so does an index.
void drop(store::Store &store, std::string_view name, bool force);

} // namespace arbiter::pool
