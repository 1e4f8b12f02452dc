// The lock of one row, taken where it is found.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

enum class RowLock {
    taken, // the row is what was found
    moved, // somebody changed it meanwhile; its newest version is locked, look again
    gone,
    busy, // somebody else has it
};

enum class Waits { yes, no };

// Locks a row that the calling transaction has just found, to the end of the transaction: against
// changes, not against rows that come to refer to it (FOR NO KEY UPDATE). Waits for whoever has it,
// with lock_timeout and the deadlock detector, and then takes the newest version, also where the
// isolation level would have FOR UPDATE fail. 42501
// unless the role may update some of the row, as for FOR UPDATE.
//
// Without waiting, only the version that was found is locked, and `moved` leaves the row alone.
RowLock lock_row(Oid table, Datum tid, Waits waits);

} // namespace arbiter::pg
