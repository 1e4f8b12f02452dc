// Transaction-scoped locks straight from the server's lock manager, in spaces of our own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// `field4` of the lock tag: 1 and 2 are PostgreSQL's advisory locks, low numbers are Citus's.
enum class LockSpace : std::uint16_t {
    entity = 0xAB17,     // what callers lock by name
    definition = 0xAB18, // one create, upgrade or drop of a store's objects at a time
    // 0xAB19: the first position a transaction has drawn (sequence.cpp)
};

// The same in every session of one cluster; says nothing across clusters or versions.
std::uint64_t lock_key(std::string_view name) noexcept;

// Exclusive, FIFO, to the end of the transaction (or of the savepoint that is rolled back). Obeys
// lock_timeout and the deadlock detector. With wait false, returns false where it would have to
// wait.
bool acquire_lock(LockSpace space, std::uint64_t key, bool wait);

struct LockHolder {
    int process; // 0: a prepared transaction, which has none
    char application[64];
};

// Who has the lock now, in the whole cluster's eyes; never this session. For saying why a lock
// could not be had: it copies the lock table.
std::optional<LockHolder> lock_holder(LockSpace space, std::uint64_t key);

// This session has a lock in that space.
bool holds_any(LockSpace space);

// Who runs a transaction that has not ended, likewise.
std::optional<LockHolder> transaction_holder(std::uint32_t transaction);
// As a sentence begins: the process and its application, or that it is a prepared transaction.
std::string describe(const LockHolder &holder);

// The lock that any statement takes on the table it writes: to the end of the transaction, against
// definitions of the table, not against other writers. Afterwards this session has heard of every
// change of the definition that came before.
void lock_table_for_writing(Oid table);
// Waits for everybody who has written to the table and has not ended, and keeps others from
// writing. Readers go on.
void lock_table_against_writers(Oid table);

} // namespace arbiter::pg
