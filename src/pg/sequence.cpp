#include "pg/postgres.hpp"

#include "pg/sequence.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

std::int64_t next_value(Oid sequence)
{
    return call([=] { return nextval_internal(sequence, false); });
}

} // namespace arbiter::pg
