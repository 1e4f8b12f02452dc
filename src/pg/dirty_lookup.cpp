#include "pg/postgres.hpp"

#include "pg/dirty_lookup.hpp"

#include "pg/arguments.hpp"
#include "pg/compat.hpp"
#include "pg/dirty_scan.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

IndexKey::IndexKey(std::string_view text) : kind_(Kind::text), datum_(text_datum(text)) {}
IndexKey::IndexKey(std::int64_t value) noexcept : kind_(Kind::bigint), datum_(Int64GetDatum(value))
{
}
IndexKey::IndexKey(const Uuid &uuid) : kind_(Kind::uuid), datum_(uuid_datum(uuid)) {}

Datum FoundRow::datum(int column) const
{
    bool null = false;
    return slot_getattr(slot_, column, &null);
}

bool FoundRow::is_null(int column) const
{
    return slot_attisnull(slot_, column);
}

bool FoundRow::boolean(int column) const
{
    return DatumGetBool(datum(column));
}

std::int64_t FoundRow::bigint(int column) const
{
    return DatumGetInt64(datum(column));
}

Datum FoundRow::detached(int column) const
{
    return PointerGetDatum(PG_DETOAST_DATUM_COPY(datum(column)));
}

Duration FoundRow::duration(int column) const
{
    const Interval &interval = *DatumGetIntervalP(datum(column));
    return duration_of(interval.month, interval.day, interval.time);
}

std::string_view FoundRow::text(int column) const
{
    struct varlena *const packed = PG_DETOAST_DATUM_PACKED(datum(column));
    return {VARDATA_ANY(packed), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(packed))};
}

namespace {

HeapTupleHeader header(TupleTableSlot *slot)
{
    bool should_free = false;
    return ExecFetchSlotHeapTuple(slot, false, &should_free)->t_data;
}

} // namespace

RowPlace FoundRow::place() const noexcept
{
    return {ItemPointerGetBlockNumberNoCheck(&slot_->tts_tid),
            ItemPointerGetOffsetNumberNoCheck(&slot_->tts_tid)};
}

bool FoundRow::written_by_me() const
{
    return TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(header(slot_)));
}

bool FoundRow::newer_than_snapshot() const
{
    HeapTupleHeader const tuple = header(slot_);
    if (HeapTupleHeaderXminFrozen(tuple))
        return false;
    TransactionId const xmin = HeapTupleHeaderGetXmin(tuple);
    return !TransactionIdIsCurrentTransactionId(xmin) &&
           XidInMVCCSnapshot(xmin, GetActiveSnapshot());
}

void FoundRow::flush_commit() const
{
    HeapTupleHeader const tuple = header(slot_);
    if (synchronous_commit == SYNCHRONOUS_COMMIT_OFF || HeapTupleHeaderXminFrozen(tuple))
        return;
    TransactionId const xmin = HeapTupleHeaderGetXmin(tuple);
    if (!TransactionIdIsCurrentTransactionId(xmin))
        XLogFlush(TransactionIdGetCommitLSN(xmin));
}

void dirty::fill(ScanKey scan_key, int column, const IndexKey &key)
{
    AttrNumber const attribute = static_cast<AttrNumber>(column + 1);
    switch (key.kind()) {
    case IndexKey::Kind::text:
        ScanKeyEntryInitialize(scan_key, 0, attribute, BTEqualStrategyNumber, InvalidOid,
                               C_COLLATION_OID, F_TEXTEQ, key.datum());
        return;
    case IndexKey::Kind::bigint:
        ScanKeyInit(scan_key, attribute, BTEqualStrategyNumber, F_INT8EQ, key.datum());
        return;
    case IndexKey::Kind::uuid:
        ScanKeyInit(scan_key, attribute, BTEqualStrategyNumber, F_UUID_EQ, key.datum());
        return;
    }
}

namespace {

struct Scan {
    Relation table;
    Relation index;
    ScanKeyData keys[INDEX_MAX_KEYS];
    int key_count;
    ScanDirection direction;
    TupleTableSlot *slot;
};

// One pass: up to the row that is taken, or tells who holds one on the way in flight.
bool look(Scan &scan, detail::RowTaker taker, void *closure, dirty::InFlight &in_flight)
{
    SnapshotData dirty;
    InitDirtySnapshot(dirty);
    IndexScanDesc const descriptor =
        compat::index_beginscan(scan.table, scan.index, &dirty, scan.key_count);
    index_rescan(descriptor, scan.keys, scan.key_count, nullptr, 0);
    bool found = false;
    in_flight = {};
    while (!found && !in_flight.any() &&
           index_getnext_slot(descriptor, scan.direction, scan.slot)) {
        CHECK_FOR_INTERRUPTS();
        in_flight.writer = TransactionIdIsValid(dirty.xmin) ? dirty.xmin : dirty.xmax;
        in_flight.speculative_token = dirty.speculativeToken;
        in_flight.row = scan.slot->tts_tid;
        found = !in_flight.any() && taker(FoundRow(scan.slot), closure);
    }
    ExecClearTuple(scan.slot);
    index_endscan(descriptor);
    return found;
}

} // namespace

void dirty::wait_for(InFlight &in_flight, Relation table)
{
    // A speculative insertion (ON CONFLICT) is decided before its transaction ends.
    if (in_flight.speculative_token != 0)
        SpeculativeInsertionWait(in_flight.writer, in_flight.speculative_token);
    else
        XactLockTableWait(in_flight.writer, table, &in_flight.row, XLTW_InsertIndex);
}

bool detail::dirty_lookup(Oid table, Oid index, std::span<const IndexKey> keys, Pick pick,
                          RowTaker taker, void *closure, std::uint32_t *waited_for)
{
    return call([&] {
        Scan scan;
        // The table's lock stays to the end of the transaction, as a writer's does.
        scan.table = table_open(table, RowExclusiveLock);
        scan.index = index_open(index, RowExclusiveLock);
        scan.key_count = static_cast<int>(keys.size());
        for (int i = 0; i < scan.key_count; ++i)
            dirty::fill(&scan.keys[i], i, keys[static_cast<std::size_t>(i)]);
        scan.direction = pick == Pick::last ? BackwardScanDirection : ForwardScanDirection;
        scan.slot = table_slot_create(scan.table, nullptr);
        dirty::InFlight in_flight;
        bool found = look(scan, taker, closure, in_flight);
        while (in_flight.any()) {
            if (waited_for)
                *waited_for = in_flight.writer;
            dirty::wait_for(in_flight, scan.table);
            found = look(scan, taker, closure, in_flight);
        }
        ExecDropSingleTupleTableSlot(scan.slot);
        index_close(scan.index, NoLock);
        table_close(scan.table, NoLock);
        return found;
    });
}

void detail::read_at(Oid table, const RowPlace &place, RowReader reader, void *closure)
{
    call([&] {
        Relation const relation = table_open(table, RowExclusiveLock);
        // The table may have become shorter, and there is no reading past its end.
        if (place.block < RelationGetNumberOfBlocks(relation)) {
            SnapshotData dirty;
            InitDirtySnapshot(dirty);
            ItemPointerData tid;
            ItemPointerSet(&tid, place.block, place.number);
            TupleTableSlot *const slot = table_slot_create(relation, nullptr);
            if (table_tuple_fetch_row_version(relation, &tid, &dirty, slot) &&
                !TransactionIdIsValid(dirty.xmin) && !TransactionIdIsValid(dirty.xmax))
                reader(FoundRow(slot), closure);
            ExecDropSingleTupleTableSlot(slot);
        }
        table_close(relation, NoLock);
    });
}

} // namespace arbiter::pg
