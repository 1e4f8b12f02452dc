// What an ErrorData owns besides itself.
#pragma once

#include "pg/postgres.hpp"

namespace arbiter::pg {

// All that CopyErrorData copies. FreeErrorData of PostgreSQL 15 forgets some of them.
inline constexpr char *ErrorData::*kErrorTexts[] = {
    &ErrorData::message,       &ErrorData::detail,          &ErrorData::detail_log,
    &ErrorData::hint,          &ErrorData::context,         &ErrorData::backtrace,
    &ErrorData::schema_name,   &ErrorData::table_name,      &ErrorData::column_name,
    &ErrorData::datatype_name, &ErrorData::constraint_name, &ErrorData::internalquery};

} // namespace arbiter::pg
