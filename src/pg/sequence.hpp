// Drawing from a sequence, and who has drawn and not ended yet.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/types.hpp"

namespace arbiter::pg {

// The next value. Asks for no privilege on the sequence: who may insert may have a position.
// Overwrites lastval().
//
// The server holds a lock on the sequence from before the first value of a transaction is drawn
// until the transaction ends, through savepoints and PREPARE. The first value itself is announced
// beside it, so that others can tell below which value this transaction has nothing.
std::int64_t draw(Oid sequence);

// The first value that this transaction has drawn, also in a savepoint that was rolled back.
std::optional<std::int64_t> first_drawn_here(Oid sequence) noexcept;

struct SequenceState {
    std::int64_t last; // handed out so far; on a standby, or after a crash, up to 32 more than that
    std::uint64_t logged_at; // where in the log of the server that is written
};
SequenceState read_sequence(Oid sequence);

// The lowest value that another transaction still in progress may have drawn: the smallest number
// there is while one has drawn and not announced yet, the largest if there is none.
std::int64_t lowest_in_progress(Oid sequence);

// CACHE 1, ascending, NO CYCLE: what was drawn earlier is lower.
bool hands_out_in_order(Oid sequence);

// Calls the listener for each sequence from which a transaction that has just committed has drawn.
// It runs inside the server's commit: it may mark and wake, and nothing that can fail.
void on_commit_after_draw(void (*listener)(Oid sequence)) noexcept;

// Called once from _PG_init.
void initialize_sequences();

} // namespace arbiter::pg
