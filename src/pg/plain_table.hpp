// Whether a table is no more than it seems: then rows may be written past planner and executor.
#pragma once

#include <span>
#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// What the caller knows of the table and will do itself.
struct PlainShape {
    int columns;                                // no more, none of them dropped or generated
    std::span<const Oid> indexes;               // exactly these
    std::span<const std::string_view> triggers; // exactly these, by name
};

// True if an INSERT that fills every column would do nothing besides: a heap table without further
// columns, indexes, triggers, rules, CHECKs, children, parents or row security.
bool is_plain(Oid table, const PlainShape &shape);

// Writes rows of non-null values, column by column, into a plain table and its indexes. The caller
// holds the writer's lock (lock_for_writing). One row or
// many: 23505 comes from the index that refuses, with the rows before it already in the heap, so
// the transaction (or subtransaction) has to end. Not visible to the next command before
// increment_command_counter.
void insert_plain(Oid table, std::span<const Oid> indexes, int columns,
                  std::span<const Datum> values);

} // namespace arbiter::pg
