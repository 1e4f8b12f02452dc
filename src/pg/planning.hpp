// Plans by index, whatever the statistics and the session's settings say.
#pragma once

#include <string>
#include <vector>

#include "base/sort_column.hpp"
#include "pg/types.hpp"

namespace arbiter::pg {

// The index that has the rows of a condition, and few others, in an order. Not every index in that
// order does: one of the whole table is walked past all rows that do not meet the condition.
struct IndexWanted {
    Oid table;
    std::vector<SortColumn> order;
    std::string condition; // of the rows that are looked for: all of them must be in it
    std::string kept_out;  // what the condition of each of its rows must imply
};

// kNoOid if the table has none. The conditions are parsed, so their names must be right now.
Oid find_index(const IndexWanted &wanted);

// While one lives, whatever is planned goes by index, and on the table by the index wanted alone if
// there is one. Where there is none the planner is left to itself.
class PlannedByIndex {
public:
    explicit PlannedByIndex(const IndexWanted *wanted) noexcept;
    ~PlannedByIndex();
    PlannedByIndex(const PlannedByIndex &) = delete;
    PlannedByIndex &operator=(const PlannedByIndex &) = delete;

private:
    const IndexWanted *const outer_;
    bool const seqscan_, bitmapscan_, indexscan_, tidscan_, sort_, jit_;
};

// Called once, from _PG_init.
void initialize_planning();

} // namespace arbiter::pg
