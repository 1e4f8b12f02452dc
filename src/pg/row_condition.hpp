// Conditions on the rows of a table as the server's own trees. For src/pg/*.cpp, inside pg::call.
#pragma once

#include "pg/postgres.hpp"

namespace arbiter::pg {

// One expression over the table's columns, analysed; 42601 for what is not one.
Node *analyzed_condition(Oid table, const char *text);

// The same in the form that index predicates are kept in, so that one can be proven from the other.
List *normalized_condition(Oid table, const char *text);

} // namespace arbiter::pg
