// Who owns a table.
#pragma once

#include "pg/types.hpp"

namespace arbiter::pg {

// 42501 unless the current role has the rights of the table's owner.
void require_owner(Oid table);

} // namespace arbiter::pg
