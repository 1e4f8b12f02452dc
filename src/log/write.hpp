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

// Whether another writer who was faster is an error (23505, as pg::Error: what was written until
// then is in the heap, so the subtransaction or transaction has to end) or an answer. The portable
// path knows only errors.
enum class Defeat { is_error, is_answer };

// Writes the events behind the head; false if another writer has been there, and nothing is
// written.
//
// The first event alone decides: whoever stores an event of this stream, with whatever id, stores
// the next revision first, and that is the first key asked.
bool write(store::Store &store, Path path, std::string_view stream, const Head &head,
           std::span<const NewEvent> events, Defeat defeat);

} // namespace arbiter::log
