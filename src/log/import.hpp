// Bringing a history into a store: events that already have their positions and times.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::log {

// For the owner alone: who may give times and positions may write any past. Keeps everybody else
// from writing to the end of the transaction. 55000 if the store holds events.
store::StorePtr open_for_import(std::string_view store);

// Stores all events of a table, view or foreign table whose columns are named like the log's,
// whatever order they come in, and sets the sequence past the last position. Returns how many.
std::int64_t import_events(store::StorePtr store, std::string_view source);

} // namespace arbiter::log
