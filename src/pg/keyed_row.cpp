#include "pg/postgres.hpp"

#include "pg/keyed_row.hpp"

#include "pg/compat.hpp"
#include "pg/dirty_scan.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// The executor's way to the indexes; opened where an index gets its first entry.
struct IndexWriter {
    EState *state = nullptr;
    ResultRelInfo *relation = nullptr;
};

struct Target {
    Relation table;
    Relation index;
    ScanKeyData keys[INDEX_MAX_KEYS];
    int key_count;
    SnapshotData dirty;
    IndexScanDesc scan;      // kept from row to row; nothing until there is something to look for
    TupleTableSlot *present; // the row as it is
    TupleTableSlot *next;    // the row as it is to be; nothing until there is something to write
    IndexWriter writer;
};

void begin_scan(Target &target)
{
    if (!target.scan) {
        InitDirtySnapshot(target.dirty);
        target.scan =
            compat::index_beginscan(target.table, target.index, &target.dirty, target.key_count);
    }
    index_rescan(target.scan, target.keys, target.key_count, nullptr, 0);
}

void end_scan(Target &target)
{
    if (target.scan)
        index_endscan(target.scan);
    target.scan = nullptr;
}

// Leaves the settled row in target.present. While a writer is in flight the index may hold its
// version too, before or after the settled one.
bool look(Target &target, dirty::InFlight &in_flight)
{
    begin_scan(target);
    SnapshotData const &dirty = target.dirty;
    in_flight = {};
    bool found = false;
    while (!found && index_getnext_slot(target.scan, ForwardScanDirection, target.present)) {
        found = !TransactionIdIsValid(dirty.xmin);
        TransactionId const writer = found ? dirty.xmax : dirty.xmin;
        if (TransactionIdIsValid(writer))
            in_flight = {writer, dirty.speculativeToken, target.present->tts_tid};
    }
    return found;
}

IndexWriter &open_indexes(Target &target)
{
    IndexWriter &writer = target.writer;
    if (!writer.state) {
        writer.state = CreateExecutorState();
        writer.relation = makeNode(ResultRelInfo);
        // No index into a range table: there is none, and the executor would look it up.
        InitResultRelInfo(writer.relation, target.table, 0, nullptr, 0);
        ExecOpenIndices(writer.relation, true);
        // A row keeps its key. What the server would make of the question, to clear away old
        // versions the sooner, costs a parse of every generated column.
        for (int i = 0; i < writer.relation->ri_NumIndices; ++i) {
            writer.relation->ri_IndexRelationInfo[i]->ii_CheckedUnchanged = true;
            writer.relation->ri_IndexRelationInfo[i]->ii_IndexUnchanged = true;
        }
    }
    return writer;
}

void close_indexes(const IndexWriter &writer)
{
    if (!writer.state)
        return;
    ExecCloseIndices(writer.relation);
    ExecResetTupleTable(writer.state->es_tupleTable, false);
    FreeExecutorState(writer.state);
}

void clear_next(Target &target)
{
    if (!target.next)
        target.next = MakeSingleTupleTableSlot(RelationGetDescr(target.table), &TTSOpsVirtual);
    ExecClearTuple(target.next);
}

bool update(Target &target, const Draft &draft)
{
    slot_getallattrs(target.present);
    clear_next(target);
    for (int i = 0; i < target.next->tts_tupleDescriptor->natts; ++i) {
        bool const given = i < Draft::kMaxColumns && draft.given[static_cast<std::size_t>(i)];
        target.next->tts_values[i] =
            given ? draft.values[static_cast<std::size_t>(i)] : target.present->tts_values[i];
        target.next->tts_isnull[i] =
            given ? draft.nulls[static_cast<std::size_t>(i)] : target.present->tts_isnull[i];
    }
    ExecStoreVirtualTuple(target.next);
    compat::UpdateIndexes indexes;
    TM_FailureData failure;
    LockTupleMode mode;
    TM_Result const result = table_tuple_update(target.table, &target.present->tts_tid, target.next,
                                                GetCurrentCommandId(true), GetActiveSnapshot(),
                                                InvalidSnapshot, true, &failure, &mode, &indexes);
    if (result == TM_Updated || result == TM_Deleted)
        return false;
    if (result != TM_Ok)
        elog(ERROR, "unexpected result %d of an update", static_cast<int>(result));
    if (compat::any(indexes)) {
        IndexWriter const &writer = open_indexes(target);
        compat::insert_index_entries(writer.relation, target.next, writer.state, indexes);
        ResetPerTupleExprContext(writer.state);
    }
    return true;
}

// As INSERT … ON CONFLICT DO NOTHING does it: the row is in the heap on approval until the index
// has spoken, so that losing costs no subtransaction.
bool insert(Target &target, const Draft &draft)
{
    clear_next(target);
    for (int i = 0; i < target.next->tts_tupleDescriptor->natts; ++i) {
        bool const given = i < Draft::kMaxColumns && draft.given[static_cast<std::size_t>(i)];
        target.next->tts_values[i] = given ? draft.values[static_cast<std::size_t>(i)] : 0;
        target.next->tts_isnull[i] = !given || draft.nulls[static_cast<std::size_t>(i)];
    }
    ExecStoreVirtualTuple(target.next);
    IndexWriter const &writer = open_indexes(target);
    List *const arbiters = list_make1_oid(RelationGetRelid(target.index));
    TransactionId const me = GetCurrentTransactionId();
    uint32 const token = SpeculativeInsertionLockAcquire(me);
    bool beaten = false;
    table_tuple_insert_speculative(target.table, target.next, GetCurrentCommandId(true), 0, nullptr,
                                   token);
    compat::insert_index_entries_unless_beaten(writer.relation, target.next, writer.state, arbiters,
                                               &beaten);
    table_tuple_complete_speculative(target.table, target.next, token, !beaten);
    SpeculativeInsertionLockRelease(me);
    ResetPerTupleExprContext(writer.state);
    list_free(arbiters);
    return !beaten;
}

Target open(const RowKey &key)
{
    Target target;
    // The table's lock stays to the end of the transaction, as a writer's does.
    target.table = table_open(key.table, RowExclusiveLock);
    target.index = index_open(key.index, RowExclusiveLock);
    target.scan = nullptr;
    target.present = table_slot_create(target.table, nullptr);
    target.next = nullptr;
    return target;
}

void close(Target &target)
{
    end_scan(target);
    close_indexes(target.writer);
    if (target.next)
        ExecDropSingleTupleTableSlot(target.next);
    ExecDropSingleTupleTableSlot(target.present);
    index_close(target.index, NoLock);
    table_close(target.table, NoLock);
}

void aim(Target &target, const RowKey &key)
{
    target.key_count = static_cast<int>(key.values.size());
    for (int i = 0; i < target.key_count; ++i)
        dirty::fill(&target.keys[i], i, key.values[static_cast<std::size_t>(i)]);
}

// False if the decision was to stop.
template <typename Decide>
bool go_through(Target &target, Decide decide)
{
    // A row that the calling statement itself has made is one that we may change.
    CommandCounterIncrement();
    for (;;) {
        dirty::InFlight in_flight;
        bool const found = look(target, in_flight);
        FoundRow const row(target.present);
        Draft draft;
        switch (decide(found ? &row : nullptr, in_flight.any(), draft)) {
        case Verdict::stop:
            return false;
        case Verdict::leave:
            return true;
        case Verdict::wait:
            end_scan(target); // no pin while we sleep
            ExecClearTuple(target.present);
            dirty::wait_for(in_flight, target.table);
            break;
        case Verdict::write:
            if (found ? update(target, draft) : insert(target, draft))
                return true;
            break;
        }
    }
}

} // namespace

std::size_t detail::decide_rows(std::span<const RowKey> keys, Decide decide, void *closure)
{
    return call([&] {
        std::size_t n = 0;
        if (keys.empty())
            return n;
        Target target = open(keys.front());
        for (; n < keys.size(); ++n) {
            aim(target, keys[n]);
            if (!go_through(target, [&](const FoundRow *row, bool in_flight, Draft &draft) {
                    return decide(n, row, in_flight, draft, closure);
                }))
                break;
        }
        close(target);
        CommandCounterIncrement();
        return n;
    });
}

} // namespace arbiter::pg
