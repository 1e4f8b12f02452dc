#include "pg/postgres.hpp"

#include "pg/random.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// Asking the generator costs nearly as much for one id as for many, and would be a tenth of an
// append.
class Pool {
public:
    // Inside pg::call.
    void take(Uuid &uuid)
    {
        if (left_ == 0) {
            if (!pg_strong_random(octets_, sizeof octets_))
                ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR),
                                errmsg("could not generate random values")));
            left_ = kIds;
        }
        std::uint8_t *const next = octets_ + --left_ * Uuid::kSize;
        memcpy(uuid.octets.data(), next, Uuid::kSize);
        // What has been given out is not to be found here afterwards.
        memset(next, 0, Uuid::kSize);
    }

private:
    static constexpr std::size_t kIds = 64;
    std::uint8_t octets_[kIds * Uuid::kSize] = {};
    std::size_t left_ = 0;
};

// Filled by the backend on first use, so no two processes share what is in it.
constinit Pool pool;

} // namespace

Uuid random_uuid()
{
    return call([] {
        Uuid uuid;
        pool.take(uuid);
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
