// Unique indexes with their comments, as the catalog has them now, whatever the snapshot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pg/types.hpp"

namespace arbiter::pg {

struct UniqueIndex {
    Oid index;
    std::string schema, table, name;
    std::string comment;
};
// Those of a table that have a comment. Takes no lock on the table and none on its indexes.
std::vector<UniqueIndex> commented_unique_indexes(Oid table);

// The table alone; of a partitioned one all that are below it as well. Takes no locks either.
std::vector<Oid> with_partitions(Oid table);

struct IndexFacts {
    Oid table;
    // Why it does not simply keep rows apart by columns; empty if it does. A sentence.
    std::string flaw;
    std::vector<std::string> columns;
    std::optional<std::string> predicate;
    bool valid;
    std::optional<std::string> comment;
};
// Nothing if the schema has no relation of that name. What is no unique index has a flaw and, but
// for the comment, nothing else.
std::optional<IndexFacts> describe_index(Oid schema, const char *name);

} // namespace arbiter::pg
