// Every row of a small table, as it is at this moment.
#pragma once

#include "pg/types.hpp"
#include "pg/unwinding.hpp"

struct SnapshotData;
struct TableScanDescData;
struct TupleTableSlot;

namespace arbiter::pg {

// Sees what is committed now, whatever the isolation level, and what this transaction has written.
// Asks for no privilege and knows no row security.
class TableScan {
public:
    explicit TableScan(Oid table);
    ~TableScan();
    TableScan(const TableScan &) = delete;
    TableScan &operator=(const TableScan &) = delete;

    bool next();
    // Of the row that next found, columns counted from 1; not null, and lives until the next call.
    Datum datum(int column) const;
    bool is_null(int column) const;

private:
    RelationData *table_;
    SnapshotData *snapshot_;
    TupleTableSlot *row_;
    TableScanDescData *scan_;
    Unwinding unwinding_;
};

} // namespace arbiter::pg
