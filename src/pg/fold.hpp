// Folding the rows of a query by a function of the caller's, one by one.
#pragma once

#include <initializer_list>

#include "pg/caller_function.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/spi.hpp"

namespace arbiter::pg {

namespace detail {
using RowFilter = bool (*)(const FoundRow &, void *);
} // namespace detail

// How an error names the row at which it came up: by a text and a number of it.
struct RowName {
    const char *format; // of both, in this order
    int text;           // columns
    int number;
};

namespace detail {
Datum fold(Statement &statement, std::initializer_list<Value> values, Sees sees,
           CallerFunction &step, const RowName &row_name, Datum initial, RowFilter filter,
           void *closure);
} // namespace detail

// state = step(state, row) for each row that filter lets through, starting from initial. The
// query's columns are those of the function's second type. The result is in the current memory
// context; memory does not grow with the number of rows. filter runs inside pg::call: only
// trivially destructible values.
template <typename Filter>
Datum fold(Statement &statement, std::initializer_list<Value> values, Sees sees,
           CallerFunction &step, const RowName &row_name, Datum initial, Filter filter)
{
    return detail::fold(
        statement, values, sees, step, row_name, initial,
        [](const FoundRow &row, void *closure) { return (*static_cast<Filter *>(closure))(row); },
        &filter);
}

} // namespace arbiter::pg
