// Transaction-scoped locks straight from the server's lock manager, in spaces of our own.
#pragma once

#include <cstdint>
#include <string_view>

namespace arbiter::pg {

// `field4` of the lock tag: 1 and 2 are PostgreSQL's advisory locks, low numbers are Citus's.
enum class LockSpace : std::uint16_t {
    entity = 0xAB17,     // what callers lock by name
    definition = 0xAB18, // one create, upgrade or drop of a store's objects at a time
};

// The same in every session of one cluster; says nothing across clusters or versions.
std::uint64_t lock_key(std::string_view name) noexcept;

// Exclusive, FIFO, to the end of the transaction (or of the savepoint that is rolled back). Obeys
// lock_timeout and the deadlock detector. With wait false, returns false where it would have to
// wait.
bool acquire_lock(LockSpace space, std::uint64_t key, bool wait);

} // namespace arbiter::pg
