#include "pg/postgres.hpp"

#include "pg/table_scan.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

TableScan::TableScan(Oid table)
{
    call([=, this] {
        table_ = table_open(table, AccessShareLock);
        snapshot_ = RegisterSnapshot(GetLatestSnapshot());
        row_ = table_slot_create(table_, nullptr);
        scan_ = table_beginscan(table_, snapshot_, 0, nullptr);
    });
}

TableScan::~TableScan()
{
    if (unwinding_)
        return;
    table_endscan(scan_);
    ExecDropSingleTupleTableSlot(row_);
    UnregisterSnapshot(snapshot_);
    table_close(table_, AccessShareLock);
}

bool TableScan::next()
{
    return call([this] {
        CHECK_FOR_INTERRUPTS();
        return table_scan_getnextslot(scan_, ForwardScanDirection, row_);
    });
}

bool TableScan::is_null(int column) const
{
    return call([=, this] { return slot_attisnull(row_, column); });
}

Datum TableScan::datum(int column) const
{
    return call([=, this] {
        bool null = false;
        return slot_getattr(row_, column, &null);
    });
}

} // namespace arbiter::pg
