#include "pg/postgres.hpp"

#include "pg/ownership.hpp"

#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

void require_owner(Oid table)
{
    call([=] {
        if (!compat::owns_relation(table, GetUserId()))
            aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(table));
    });
}

} // namespace arbiter::pg
