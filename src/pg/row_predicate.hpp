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

// The same for a text that is kept and read again elsewhere: under PortableSettings alone, whatever
// the search_path is now. 42P17 where a function in it is volatile.
std::string portable_predicate(Oid table, const std::string &text);
// What becomes of the condition where a column is null, likewise portable, from a portable text.
std::string predicate_with_null(Oid table, const std::string &text, const std::string &column);
// An index could have it as its predicate. The text is a portable one, under PortableSettings.
bool is_immutable(Oid table, const std::string &text);

} // namespace arbiter::pg
