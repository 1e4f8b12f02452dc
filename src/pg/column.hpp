// Columns of a table that a caller has named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pg/types.hpp"

namespace arbiter::pg {

struct ColumnFacts {
    Oid type;
    std::string type_name; // as SQL writes it anywhere, without length
    std::string equals; // the operator by which a btree compares it, likewise; empty if none does
    bool is_ordered;    // ORDER BY takes it
    bool is_text;       // takes text as it is: an assignment cuts nothing off
    bool not_null;
    bool computed; // generated, or an identity that takes no values
};

// 42703 if it is not there (any more).
ColumnFacts describe_column(Oid table, const std::string &column);

// A unique index keeps its values apart, in all rows and at once, by the column's own equality.
bool is_unique_column(Oid table, const std::string &column);

struct TableName {
    std::string schema, name;
    std::string quoted() const;
};
// As of now; nothing if the table is gone.
std::optional<TableName> table_name(Oid table);

} // namespace arbiter::pg
