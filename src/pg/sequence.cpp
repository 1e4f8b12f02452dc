#include "pg/postgres.hpp"

#include "pg/sequence.hpp"

#include <limits>

#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// `field4` of the announcement's lock tag; lock_manager.hpp has its neighbours.
constexpr uint16 kAnnouncement = 0xAB19;

// What the current transaction has drawn first; in its memory, and forgotten at its end.
struct Drawn {
    Oid sequence;
    std::int64_t first;
    Drawn *next;
};
constinit Drawn *drawn_here = nullptr;
using CommitListener = void (*)(Oid);
constinit CommitListener commit_listener = nullptr;

void end_transaction(XactEvent event, void *)
{
    if (event == XACT_EVENT_COMMIT && commit_listener)
        for (const Drawn *record = drawn_here; record; record = record->next)
            commit_listener(record->sequence);
    if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
        drawn_here = nullptr;
}

// A position takes both fields that carry a key, so the sequence stands where other tags have the
// database: who reads announcements looks at the holders of one sequence's lock only.
LOCKTAG announcement(Oid sequence, std::int64_t value) noexcept
{
    auto const bits = static_cast<std::uint64_t>(value);
    LOCKTAG tag;
    SET_LOCKTAG_ADVISORY(tag, sequence, static_cast<uint32>(bits >> 32), static_cast<uint32>(bits),
                         kAnnouncement);
    return tag;
}

bool is_announcement(const LOCKTAG &tag, Oid sequence) noexcept
{
    return tag.locktag_type == LOCKTAG_ADVISORY && tag.locktag_field4 == kAnnouncement &&
           tag.locktag_field1 == sequence;
}

std::int64_t announced(const LOCKTAG &tag) noexcept
{
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(tag.locktag_field2) << 32) |
                                     tag.locktag_field3);
}

// Owned by the whole transaction, as the server's own lock on the sequence is: a savepoint rolled
// back takes neither. Shared, so it never waits.
void announce(Oid sequence, std::int64_t first)
{
    LOCKTAG const tag = announcement(sequence, first);
    ResourceOwner const caller = CurrentResourceOwner;
    CurrentResourceOwner = TopTransactionResourceOwner;
    LockAcquire(&tag, ShareLock, false, true);
    CurrentResourceOwner = caller;
    auto *const record =
        static_cast<Drawn *>(MemoryContextAlloc(TopTransactionContext, sizeof(Drawn)));
    *record = {sequence, first, drawn_here};
    drawn_here = record;
}

} // namespace

std::optional<std::int64_t> first_drawn_here(Oid sequence) noexcept
{
    for (const Drawn *record = drawn_here; record; record = record->next)
        if (record->sequence == sequence)
            return record->first;
    return std::nullopt;
}

std::int64_t draw(Oid sequence)
{
    bool const is_first = !first_drawn_here(sequence);
    return call([=] {
        std::int64_t const value = nextval_internal(sequence, false);
        if (is_first)
            announce(sequence, value);
        return value;
    });
}

SequenceState read_sequence(Oid sequence)
{
    return call([=] {
        Relation const relation = relation_open(sequence, AccessShareLock);
        Buffer const buffer = ReadBuffer(relation, 0);
        LockBuffer(buffer, BUFFER_LOCK_SHARE);
        Page const page = BufferGetPage(buffer);
        auto const *const data = reinterpret_cast<FormData_pg_sequence_data *>(
            reinterpret_cast<char *>(PageGetItem(page, PageGetItemId(page, FirstOffsetNumber))) +
            reinterpret_cast<HeapTupleHeader>(
                PageGetItem(page, PageGetItemId(page, FirstOffsetNumber)))
                ->t_hoff);
        SequenceState const state{data->is_called ? data->last_value : data->last_value - 1,
                                  BufferGetLSNAtomic(buffer)};
        UnlockReleaseBuffer(buffer);
        relation_close(relation, AccessShareLock);
        return state;
    });
}

namespace {

LOCKTAG lock_of(Oid sequence) noexcept
{
    LOCKTAG tag;
    SET_LOCKTAG_RELATION(tag, MyDatabaseId, sequence);
    return tag;
}

bool is_drawer(const LockInstanceData &lock, const LOCKTAG &sequence) noexcept
{
    return (lock.holdMask & LOCKBIT_ON(RowExclusiveLock)) != 0 && lock.pid != MyProcPid &&
           memcmp(&lock.locktag, &sequence, sizeof(LOCKTAG)) == 0;
}

std::int64_t first_of(const LockData *locks, const LockInstanceData &drawer, Oid sequence) noexcept
{
    for (int i = 0; i < locks->nelements; ++i)
        if (is_announcement(locks->locks[i].locktag, sequence) &&
            compat::same_transaction(locks->locks[i], drawer))
            return announced(locks->locks[i].locktag);
    return std::numeric_limits<std::int64_t>::min();
}

} // namespace

std::int64_t lowest_in_progress(Oid sequence)
{
    return call([=] {
        LOCKTAG const tag = lock_of(sequence);
        // Who conflicts with ShareLock is who holds RowExclusiveLock or more. The question is cheap
        // and mostly ends here; the copy of the whole lock table is not.
        int count = 0;
        GetLockConflicts(&tag, ShareLock, &count);
        std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
        if (count == 0)
            return lowest;
        LockData const *const locks = GetLockStatusData();
        for (int i = 0; i < locks->nelements; ++i)
            if (is_drawer(locks->locks[i], tag))
                lowest = Min(lowest, first_of(locks, locks->locks[i], sequence));
        return lowest;
    });
}

bool hands_out_in_order(Oid sequence)
{
    return call([=] {
        HeapTuple const tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(sequence));
        if (!HeapTupleIsValid(tuple))
            return false;
        auto const *const form = reinterpret_cast<Form_pg_sequence>(GETSTRUCT(tuple));
        bool const in_order = form->seqcache == 1 && form->seqincrement > 0 && !form->seqcycle;
        ReleaseSysCache(tuple);
        return in_order;
    });
}

void on_commit_after_draw(void (*listener)(Oid sequence)) noexcept
{
    commit_listener = listener;
}

void initialize_sequences()
{
    call([] { RegisterXactCallback(end_transaction, nullptr); });
}

} // namespace arbiter::pg
