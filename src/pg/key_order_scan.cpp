#include "pg/postgres.hpp"

#include "pg/key_order_scan.hpp"

#include "pg/compat.hpp"
#include "pg/guard.hpp"
#include "pg/result_set.hpp"

namespace arbiter::pg {

KeyOrderScan::KeyOrderScan(Oid table, Oid index, SnapshotData *snapshot)
{
    call([&] {
        table_ = table_open(table, AccessShareLock);
        index_ = index_open(index, AccessShareLock);
        row_ = table_slot_create(table_, nullptr);
        scan_ = compat::index_beginscan(table_, index_, snapshot, 1);
    });
}

KeyOrderScan::~KeyOrderScan()
{
    if (unwinding_)
        return;
    index_endscan(scan_);
    ExecDropSingleTupleTableSlot(row_);
    index_close(index_, AccessShareLock);
    table_close(table_, AccessShareLock);
}

void KeyOrderScan::start(std::int64_t after)
{
    call([=, this] {
        ScanKeyData key;
        ScanKeyInit(&key, 1, BTGreaterStrategyNumber, F_INT8GT, Int64GetDatum(after));
        index_rescan(scan_, &key, 1, nullptr, 0);
    });
}

namespace {

KeyOrderScan::Origin origin_of(TupleTableSlot *row)
{
    TransactionId const writer =
        HeapTupleHeaderGetXmin(ExecFetchSlotHeapTuple(row, false, nullptr)->t_data);
    if (TransactionIdIsNormal(writer))
        return {writer, 0};
    return {InvalidTransactionId,
            BufferGetLSNAtomic(reinterpret_cast<BufferHeapTupleTableSlot *>(row)->buffer)};
}

} // namespace

// All that is asked of a row, in one crossing of the boundary.
bool KeyOrderScan::next()
{
    return call([this] {
        CHECK_FOR_INTERRUPTS();
        if (!index_getnext_slot(scan_, ForwardScanDirection, row_))
            return false;
        bool null = false;
        key_ = DatumGetInt64(slot_getattr(row_, 1, &null));
        origin_ = origin_of(row_);
        return true;
    });
}

void KeyOrderScan::add_to(ResultSet &rows) const
{
    rows.add(row_);
}

void KeyOrderScan::read(std::span<const int> columns, Datum *values) const
{
    call([&] {
        bool null = false;
        for (int const column : columns)
            *values++ = slot_getattr(row_, column, &null);
    });
}

// A row without further columns is laid out as the composite is, and copied as it stands.
Datum KeyOrderScan::copy_as(Oid type) const
{
    return call([=, this] {
        TupleDesc const descriptor = lookup_rowtype_tupdesc(type, -1);
        Datum copy = 0;
        if (row_->tts_tupleDescriptor->natts == descriptor->natts) {
            copy =
                heap_copy_tuple_as_datum(ExecFetchSlotHeapTuple(row_, false, nullptr), descriptor);
        } else {
            slot_getsomeattrs(row_, descriptor->natts);
            copy =
                HeapTupleGetDatum(heap_form_tuple(descriptor, row_->tts_values, row_->tts_isnull));
        }
        ReleaseTupleDesc(descriptor);
        return copy;
    });
}

} // namespace arbiter::pg
