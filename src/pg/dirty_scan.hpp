// What the look-ups and writes that see other transactions' work in flight have in common. For
// src/pg/*.cpp, inside pg::call.
#pragma once

#include "pg/postgres.hpp"

#include "pg/dirty_lookup.hpp"

namespace arbiter::pg::dirty {

// Who has to end before a row is settled, and where the row is.
struct InFlight {
    TransactionId writer = InvalidTransactionId;
    uint32 speculative_token = 0;
    ItemPointerData row{};
    bool any() const noexcept { return TransactionIdIsValid(writer); }
};

void fill(ScanKey scan_key, int column, const IndexKey &key);

// Obeys lock_timeout and the deadlock detector, as the wait for any row lock.
void wait_for(InFlight &in_flight, Relation table);

} // namespace arbiter::pg::dirty
