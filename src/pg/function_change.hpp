// Tells of functions that a statement makes, replaces or alters, while it still can be refused.
#pragma once

#include <string>

#include "pg/types.hpp"

namespace arbiter::pg {

struct ChangedFunction {
    Oid function;
    Oid schema; // after the change, as is the name
    std::string name;
};

// The listener is called within the statement and refuses it by throwing. The catalog has the
// change already, for whoever looks with a fresh snapshot. Heard of are the statements of sessions
// that have the library loaded; an UPDATE of the catalog by hand is not.
void on_function_change(void (*listener)(const ChangedFunction &));

} // namespace arbiter::pg
