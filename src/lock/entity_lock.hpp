// The entity lock: a serializer. Correctness never rests on it; it may time out, collide or be
// skipped.
#pragma once

#include <span>
#include <string_view>

#include "base/duration.hpp"

namespace arbiter::lock {

// Held to the end of the transaction, or of the savepoint that is rolled back.
enum class Taken { at_once, after_waiting };

// Waits its turn (FIFO). 55P03 names the holder where the time or the session's lock_timeout is up;
// a time of zero does not wait at all. 22023 for an empty name.
Taken lock(std::string_view entity, Duration timeout = kForever);

// All of them, in one order that every caller has in common, within one time.
Taken lock_all(std::span<const std::string_view> entities, Duration timeout);

// In one snapshot for the whole transaction, what the last holder wrote can't be seen, so the lock
// alone protects nothing: says so in a NOTICE, for the calls by which somebody asks for a lock.
void tell_if_blind(Taken taken);

// False means busy, never done.
bool try_lock(std::string_view entity);

} // namespace arbiter::lock
