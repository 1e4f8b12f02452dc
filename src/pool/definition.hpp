// What a pool is: which rows of which table are work, and in which order they are handed out.
#pragma once

#include <optional>
#include <string>

#include "pg/planning.hpp"
#include "pg/types.hpp"

namespace arbiter::pool {

struct Definition {
    Oid relation = 0;
    std::string key, owner, since, token; // columns
    std::optional<std::string> predicate; // portable; nothing for all rows
    std::string order_by;                 // as SQL, the key last

    // Of the rows that may be handed out, if their time has come: nobody owns them, and the
    // predicate.
    std::string free_rows() const;
    // The index from which they are handed out without walking past the others. Under
    // pg::PortableNames.
    pg::IndexWanted index_wanted() const;
};

// From what the caller says, with the columns and the key checked, for a table that the caller
// owns. 22023 and 42703 for columns that will not do.
Definition define(const std::string &relation, Definition columns,
                  const std::optional<std::string> &order_by);

// The table has the index wanted.
bool has_index(const Definition &definition);
// The statement that would make the index wanted.
std::string create_index(const Definition &definition);

// A sentence that names the first difference, empty if there is none.
std::string difference(const Definition &existing, const Definition &given);

} // namespace arbiter::pool
