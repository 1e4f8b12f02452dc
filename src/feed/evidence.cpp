#include "feed/evidence.hpp"

#include <unordered_map>

#include "pg/sequence.hpp"
#include "pg/snapshot.hpp"

namespace arbiter::feed {

namespace {

struct Kept {
    pg::StatementMark mark;
    Gathered gathered;
};

// Reached by pointer: a static destructor would run at backend exit.
using All = std::unordered_map<Oid, Kept>;
constinit All *all = nullptr;

} // namespace

// The order is the proof. A position up to what is handed out was drawn under the lock, so its
// drawer either is among those found to hold it afterwards, or has ended; and if it has ended, a
// snapshot taken later sees what it left.
Gathered gather(store::Store &store, const SnapshotData *sight)
{
    if (!all)
        all = new All;
    pg::StatementMark const mark = pg::mark_of(sight);
    if (auto const found = all->find(store.position_sequence);
        found != all->end() && found->second.mark == mark)
        return found->second.gathered;
    pg::SequenceState const sequence = pg::read_sequence(store.position_sequence);
    std::int64_t const in_progress = pg::lowest_in_progress(store.position_sequence);
    Gathered const gathered{sequence.last, in_progress, sequence.logged_at};
    all->insert_or_assign(store.position_sequence, Kept{mark, gathered});
    return gathered;
}

} // namespace arbiter::feed
