#include "sweep/rest.hpp"

#include "base/backoff.hpp"
#include "pg/random.hpp"
#include "pg/spi.hpp"

namespace arbiter::sweep {

namespace {

constexpr store::Query kAttempts{
    "SELECT r.attempts FROM {store}.sweep_rests AS r WHERE r.sweep OPERATOR(pg_catalog.=) $1 "
    "AND r.key OPERATOR(pg_catalog.=) pg_catalog.left($2, 512)",
    pg::Type::text, pg::Type::text};
constexpr store::Query kRest{
    "INSERT INTO {store}.sweep_rests AS r (sweep, key, attempts, error, next_attempt_at) VALUES "
    "($1, pg_catalog.left($2, 512), $3, $4, pg_catalog.clock_timestamp() OPERATOR(pg_catalog.+) "
    "($5 OPERATOR(pg_catalog.*) '1 microsecond'::pg_catalog.interval)) "
    "ON CONFLICT (sweep, key) DO UPDATE SET attempts = EXCLUDED.attempts, error = EXCLUDED.error, "
    "next_attempt_at = EXCLUDED.next_attempt_at",
    pg::Type::text,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::bigint};
constexpr store::Query kForgetOld{
    "DELETE FROM {store}.sweep_rests AS r WHERE r.sweep OPERATOR(pg_catalog.=) $1 "
    "AND r.next_attempt_at OPERATOR(pg_catalog.<) (pg_catalog.clock_timestamp() "
    "OPERATOR(pg_catalog.-) '1 day'::pg_catalog.interval)",
    pg::Type::text};

} // namespace

void rest(store::Store &store, std::string_view sweep, std::string_view key, After after,
          const std::optional<std::string> &error)
{
    std::int64_t attempts = 0;
    pg::Spi spi;
    if (after != After::done) {
        pg::Rows const rows = spi.run(store.statement(kAttempts), {sweep, key}, pg::Sees::fresh);
        attempts = (rows.empty() ? 0 : rows.bigint(0, 0)) + 1;
    }
    auto const pause = backoff(attempts, pg::random_fraction());
    spi.run(store.statement(kRest),
            {sweep, key, attempts, error ? pg::Value(std::string_view(*error)) : pg::Value::null(),
             std::int64_t{pause.count()}},
            pg::Sees::fresh);
}

void forget_old_rests(store::Store &store, std::string_view sweep)
{
    pg::Spi spi;
    spi.run(store.statement(kForgetOld), {sweep}, pg::Sees::fresh);
}

} // namespace arbiter::sweep
