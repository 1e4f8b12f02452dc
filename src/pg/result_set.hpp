// Rows on their way out of a function. A set goes into a tuplestore, which goes to disk past
// work_mem.
#pragma once

#include <initializer_list>

#include "pg/spi.hpp"
#include "pg/types.hpp"

struct ReturnSetInfo;
struct TupleTableSlot;

namespace arbiter::pg {

// A function of one column returns no row type.
enum class Columns { several, one };

class ResultSet {
public:
    explicit ResultSet(FunctionCallInfoBaseData *fcinfo, Columns columns = Columns::several);
    void add(std::initializer_list<Value> row);
    // A row of a table that begins with the set's columns.
    void add(TupleTableSlot *row);
    // Runs a query straight into the set, row by row: memory does not grow with the result.
    void add_query(Statement &statement, std::initializer_list<Value> values,
                   Sees sees = Sees::caller);

private:
    ReturnSetInfo *result_;
};

// The one row of a function that returns a composite.
Datum row_datum(FunctionCallInfoBaseData *fcinfo, std::initializer_list<Value> row);

} // namespace arbiter::pg
