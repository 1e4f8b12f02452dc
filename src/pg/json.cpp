#include "pg/postgres.hpp"

#include "pg/json.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

bool json_equal(Datum left, Datum right)
{
    return call([=] {
        return compareJsonbContainers(&DatumGetJsonbP(left)->root, &DatumGetJsonbP(right)->root) ==
               0;
    });
}

bool json_is_object(Datum value)
{
    return call([=] {
        Jsonb *const json = DatumGetJsonbP(value);
        return JB_ROOT_IS_OBJECT(json);
    });
}

} // namespace arbiter::pg
