#include "pg/postgres.hpp"

#include "pg/random.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

Uuid random_uuid()
{
    return call([] {
        Uuid uuid;
        if (!pg_strong_random(uuid.octets.data(), uuid.octets.size()))
            ereport(ERROR,
                    (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values")));
        uuid.octets[6] = static_cast<std::uint8_t>((uuid.octets[6] & 0x0F) | 0x40);
        uuid.octets[8] = static_cast<std::uint8_t>((uuid.octets[8] & 0x3F) | 0x80);
        return uuid;
    });
}

double random_fraction() noexcept
{
    return pg_prng_double(&pg_global_prng_state);
}

} // namespace arbiter::pg
