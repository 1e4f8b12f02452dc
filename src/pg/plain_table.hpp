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

// Itself, and not a view, whose code would run with the rights of whoever reads it. It is looked up
// and not opened, so nobody waits for whoever has it locked.
bool is_table(Oid relation);

// True if an INSERT that fills every column would do nothing besides: a heap table without further
// columns, indexes, triggers, rules, CHECKs, children, parents or row security.
bool is_plain(Oid table, const PlainShape &shape);

// Whether the first row's key in the first index is known to be free. If it is not, `final` raises
// 23505 from that index, with the row already in the heap, so that the (sub)transaction has to end.
// `on_approval` takes the row back instead, as ON CONFLICT DO NOTHING does, for the price of one
// more WAL record.
enum class FirstRow { final, on_approval };

// Writes rows of non-null values, column by column, into a plain table and its indexes. The caller
// holds the writer's lock (lock_table_for_writing). False if the first row was taken back: then
// nothing is written. Not visible to the next command before increment_command_counter.
bool insert_plain(Oid table, std::span<const Oid> indexes, int columns,
                  std::span<const Datum> values, FirstRow first);

} // namespace arbiter::pg
