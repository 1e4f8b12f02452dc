// What a trigger function is called with.
#pragma once

#include <string>

#include "pg/postgres.hpp"

namespace arbiter::pg {

// 39P01 unless the call comes from a trigger.
const TriggerData &trigger_data(FunctionCallInfo fcinfo);

// The schema of the trigger's table: the name of the store.
std::string schema_of(const TriggerData &trigger);

struct Field {
    Datum datum;
    bool null;
};
// A column of a row of the trigger's table, counted from 1.
Field field(const TriggerData &trigger, HeapTuple row, int column);

// The row as a value of a composite type that has the table's first columns.
Datum row_as(const TriggerData &trigger, HeapTuple row, Oid type);

// UPDATE, DELETE, TRUNCATE or INSERT.
const char *command_of(const TriggerData &trigger) noexcept;

} // namespace arbiter::pg
