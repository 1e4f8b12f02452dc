// The entity lock: a serializer. Correctness never rests on it; it may time out, collide or be
// skipped.
#pragma once

#include <string_view>

namespace arbiter::lock {

// Waits its turn (FIFO) and holds to the end of the transaction. Obeys lock_timeout.
void lock(std::string_view entity);

// False means busy, never done.
bool try_lock(std::string_view entity);

} // namespace arbiter::lock
