// Gives unique violations another text, in the very statement that raises them.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

struct Rewording {
    const char *message;
    const char *hint; // nullptr for none
};

// Who knows the texts. `prepare` is asked about each table before a statement writes to it: has it
// any? It may read the catalog, and throw. `find` is asked while the error is being raised, with
// the names that the error has; by then nothing can be read any more.
struct Rewordings {
    bool (*is_prepared)(Oid table,
                        bool *any) noexcept; // the answer of `prepare`, where it is known
    bool (*prepare)(Oid table);
    bool (*find)(Oid table, const char *schema, const char *name, const char *index,
                 Rewording *found) noexcept;
};

// Statements of the executor and COPY are heard of, in sessions that have the library loaded, from
// the next statement on. SQLSTATE, DETAIL and the names in the error stay as they are.
void reword_unique_violations(const Rewordings &source);

} // namespace arbiter::pg
