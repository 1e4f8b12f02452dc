// A condition on the rows of a table, written by a caller.
#pragma once

#include <string>

#include "pg/types.hpp"

namespace arbiter::pg {

// The text as the server itself would write it: what may be put into SQL, since it has been parsed
// as one expression over the table's columns. Two texts that mean the same to the parser are alike,
// also after a dump and restore. 42601 for what is not one expression; subqueries, aggregates,
// parameters and unknown columns are refused with the codes that CREATE INDEX has for them.
std::string canonical_predicate(Oid table, const std::string &text);

} // namespace arbiter::pg
