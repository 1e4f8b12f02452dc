// What a sweep is: where rows are found that are due, and which command is due.
#pragma once

#include <optional>
#include <string>

#include "pg/types.hpp"

namespace arbiter::sweep {

struct Definition {
    Oid table = 0;
    std::string relation;  // schema and name, quoted
    std::string key;       // a column
    std::string predicate; // portable
    std::string order_by;  // as SQL
    std::optional<std::string> machine, command;
};

// From what the caller says, for a table that he owns: names looked up and quoted, texts parsed and
// written anew. 22023, 42703, 42601 for what will not do.
Definition define(const std::string &relation, Definition given);

// Finds the table. What is put into SQL is read once more as define would, since whoever may write
// the registry may have written anything there. 55000 where it is not what define makes or the
// table is gone, besides the codes of define.
void prepare(const std::string &sweep, Definition &stored);

// A sentence that names the first difference, empty if there is none.
std::string difference(const Definition &existing, const Definition &given);

} // namespace arbiter::sweep
