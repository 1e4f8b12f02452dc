#include "pg/postgres.hpp"

#include "pg/clock.hpp"

namespace arbiter::pg {

Datum clock_timestamp() noexcept
{
    return TimestampTzGetDatum(GetCurrentTimestamp());
}

} // namespace arbiter::pg
