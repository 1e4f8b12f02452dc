// The row under a unique key: looked at as it is now, decided upon, and written straight into the
// table and its indexes, past planner and executor.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pg/dirty_lookup.hpp"
#include "pg/types.hpp"

namespace arbiter::pg {

// Where the row is: a unique index of the table and a value for each of its columns.
struct RowKey {
    Oid table;
    Oid index;
    std::span<const IndexKey> values;
};

// What a decision writes, column by column from 1. A new row has nulls where nothing is set, an
// existing one keeps what it has: defaults are not asked.
class Draft {
public:
    static constexpr int kMaxColumns = 16;
    void set(int column, Datum value) noexcept
    {
        values[static_cast<std::size_t>(column - 1)] = value;
        given[static_cast<std::size_t>(column - 1)] = true;
    }
    void clear(int column) noexcept
    {
        set(column, 0);
        nulls[static_cast<std::size_t>(column - 1)] = true;
    }
    std::array<Datum, kMaxColumns> values{};
    std::array<bool, kMaxColumns> given{};
    std::array<bool, kMaxColumns> nulls{};
};

enum class Verdict {
    leave,
    wait,
    write,
    stop, // leave this row and all that follow
};

namespace detail {
using Decide = Verdict (*)(std::size_t n, const FoundRow *row, bool in_flight, Draft &draft,
                           void *closure);
std::size_t decide_rows(std::span<const RowKey> keys, Decide decide, void *closure);
} // namespace detail

// Calls decide(row, in_flight, draft) with the row as committed or as written by this transaction,
// null if there is none, whatever the caller's snapshot shows. in_flight tells that another
// transaction has changed it (or made it, then row is null) and has not ended: the only time at
// which `wait` makes sense, and then decide is asked again afterwards. `write` puts the draft into
// the row, or makes the row; if somebody else got there first, decide is asked again too. So the
// row's lock is the arbiter, and what was decided is true of the row that was written.
//
// Privileges and row security are the caller's to check; the table's triggers and CHECKs do not
// see the write. decide runs inside pg::call: only trivially destructible values.
template <typename Decide>
void decide_row(const RowKey &key, Decide decide)
{
    detail::decide_rows(
        {&key, 1},
        [](std::size_t, const FoundRow *row, bool in_flight, Draft &draft, void *closure) {
            return (*static_cast<Decide *>(closure))(row, in_flight, draft);
        },
        &decide);
}

// The same for many rows under one index, one after the other; decide is also told which. Returns
// how many were gone through before it said `stop`.
template <typename Decide>
std::size_t decide_rows(std::span<const RowKey> keys, Decide decide)
{
    return detail::decide_rows(
        keys,
        [](std::size_t n, const FoundRow *row, bool in_flight, Draft &draft, void *closure) {
            return (*static_cast<Decide *>(closure))(n, row, in_flight, draft);
        },
        &decide);
}

} // namespace arbiter::pg
