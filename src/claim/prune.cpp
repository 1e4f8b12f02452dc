#include "claim/prune.hpp"

#include "claim/guard.hpp"
#include "claim/ledger.hpp"
#include "pg/clock.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"

namespace arbiter::claim {

namespace {

constexpr std::int64_t kBatch = 10'000;

// In the order of the primary key, so that each claim is looked at once whatever the batches
// remove.
constexpr store::Query kPrune{
    "WITH batch AS (SELECT c.digest FROM {store}.claims AS c "
    "WHERE c.ledger OPERATOR(pg_catalog.=) $1 AND c.digest OPERATOR(pg_catalog.>=) $2 "
    "ORDER BY c.digest LIMIT $3), "
    "gone AS (DELETE FROM {store}.claims AS c USING batch AS b "
    "WHERE c.ledger OPERATOR(pg_catalog.=) $1 AND c.digest OPERATOR(pg_catalog.=) b.digest "
    "AND (c.state OPERATOR(pg_catalog.=) 'done' OR c.state OPERATOR(pg_catalog.=) 'failed') "
    "AND c.settled_at OPERATOR(pg_catalog.<) $4) "
    "SELECT b.digest FROM batch AS b ORDER BY b.digest DESC LIMIT 1",
    pg::Type::text, pg::Type::uuid, pg::Type::bigint, pg::Type::timestamptz};

} // namespace

std::optional<Uuid> successor(Uuid digest) noexcept
{
    for (std::size_t i = digest.octets.size(); i-- > 0;)
        if (++digest.octets[i] != 0)
            return digest;
    return std::nullopt;
}

std::int64_t share_below(const Uuid &digest) noexcept
{
    return digest.octets[0] * std::int64_t{256} + digest.octets[1];
}

std::optional<Uuid> prune_batch(store::Store &store, std::string_view ledger, const Uuid &from,
                                Duration older_than)
{
    store::AsOwner const owner(store);
    open(store, ledger);
    auto const now = static_cast<Time>(pg::clock_timestamp());
    // Before the server's first day there are no claims.
    Time const before = older_than.count() > now ? 0 : now - older_than.count();
    ClaimsMayVanish permit;
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kPrune),
                {ledger, from, kBatch, pg::Value::of(static_cast<Datum>(before))}, pg::Sees::fresh);
    return rows.empty() ? std::nullopt : successor(rows.uuid(0, 0));
}

} // namespace arbiter::claim
