// The table that a caller names and owns.
#pragma once

#include <string>

#include "pg/types.hpp"

namespace arbiter::pg {

struct OwnTable {
    Oid table, schema;
    std::string name, schema_name;
};

// By a name as SQL writes it: folded, quoted, through the search_path if it is not qualified. Not
// dropped or changed while the transaction lasts. 42P01 for none, 42501 for somebody else's or the
// system's, 0A000 for a partitioned table, 42809 for what is not a table.
OwnTable find_own_table(const std::string &name);

// 42703 unless it has a column of exactly that name.
void require_user_column(const OwnTable &table, const std::string &column);

// And 22023 if its type has no order.
void require_sortable_column(const OwnTable &table, const std::string &column);

} // namespace arbiter::pg
