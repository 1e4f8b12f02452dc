// Rows of a table in the order of its first column, a bigint, straight from that column's index.
#pragma once

#include <cstdint>
#include <span>

#include "pg/types.hpp"
#include "pg/unwinding.hpp"

struct IndexScanDescData;
struct SnapshotData;
struct TupleTableSlot;

namespace arbiter::pg {

class ResultSet;

// Sees what the snapshot sees. Asks for no privilege and knows no row security: the caller does.
class KeyOrderScan {
public:
    KeyOrderScan(Oid table, Oid index, SnapshotData *snapshot);
    ~KeyOrderScan();
    KeyOrderScan(const KeyOrderScan &) = delete;
    KeyOrderScan &operator=(const KeyOrderScan &) = delete;

    // The rows with after < key.
    void start(std::int64_t after);
    bool next();

    // Of the row that next found.
    std::int64_t key() const noexcept { return key_; }
    // Who wrote it. Where the server has forgotten, because that is long ago: the place in its log
    // up to which the page's changes are recorded, that of the commit among them.
    struct Origin {
        std::uint32_t transaction; // 0 if forgotten
        std::uint64_t place;
    };
    const Origin &origin() const noexcept { return origin_; }
    void add_to(ResultSet &rows) const;
    // Columns of that row, from 1, none of them null; valid until the next one.
    void read(std::span<const int> columns, Datum *values) const;
    // The row as a value of a composite type that has the table's first columns; it outlives the
    // scan.
    Datum copy_as(Oid type) const;

private:
    RelationData *table_;
    RelationData *index_;
    IndexScanDescData *scan_;
    TupleTableSlot *row_;
    std::int64_t key_ = 0;
    Origin origin_{};
    Unwinding unwinding_;
};

} // namespace arbiter::pg
