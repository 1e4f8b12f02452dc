// Putting judged events into the table. Nothing is decided here: the unique indexes still may
// refuse.
#pragma once

#include <span>
#include <string_view>

#include "log/append.hpp"
#include "log/head.hpp"
#include "log/path.hpp"
#include "store/store.hpp"

namespace arbiter::log {

// Writes the events behind the head. 23505 arrives as pg::Error if another writer was faster; what
// was written until then is in the heap, so the subtransaction or transaction has to end.
void write(store::Store &store, Path path, std::string_view stream, const Head &head,
           std::span<const NewEvent> events);

} // namespace arbiter::log
