#include "pool/work.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/result_set.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"
#include "pool/row.hpp"

namespace arbiter::pool {

namespace {

constexpr store::Query kRecord{
    "INSERT INTO {store}.reassignments (pool, key, token, owner, former_token, former_owner, "
    "reason) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    pg::Type::text,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text};

void require_text(const char *what, std::string_view text)
{
    if (text.empty())
        throw Failure(sqlstate::kInvalidParameterValue, std::string(what) + " must not be empty");
}

std::string described(const Pool &pool, std::string_view key)
{
    return "\"" + std::string(key) + "\" of pool \"" + pool.name + "\"";
}

std::string standing(const std::optional<Row> &row)
{
    if (!row)
        return "There is no such row.";
    std::string const token = row->token ? "token " + std::to_string(*row->token) : "no token";
    return row->owner ? "It is owned by \"" + *row->owner + "\" with " + token + "."
                      : "Nobody owns it.";
}

Row lock_held(pg::Spi &spi, Pool &pool, std::string_view key, std::int64_t token)
{
    auto row = lock(spi, pool, key);
    if (!row || !row->owner || row->token != token)
        throw Failure(sqlstate::kTokenLost,
                      "token " + std::to_string(token) + " does not hold " + described(pool, key),
                      standing(row), "Stop: the work is no longer yours to do.");
    return std::move(*row);
}

} // namespace

void allocate(Pool &pool, std::string_view owner, std::int64_t max_count, pg::ResultSet &rows)
{
    require_text("owner", owner);
    if (max_count < 1)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "max_count must be positive, not " + std::to_string(max_count));
    pg::Spi spi;
    Moment const moment;
    pg::Rows const picked = [&] {
        pg::PortableNames const portable; // which the predicate is written in
        return spi.run(pool.pick, {moment.now()}, pg::Sees::latest, max_count);
    }();
    pg::Value const new_owner(owner);
    for (std::uint64_t n = 0; n < picked.count(); ++n) {
        pg::Rows const taken = write(
            spi, pool, pool.take,
            {pg::Value::of(picked.datum(n, 0)), new_owner, moment.now(), moment.least_token()});
        rows.add({pg::Value::of(taken.datum(0, 0)), pg::Value::of(taken.datum(0, 1)),
                  pg::Value::of(taken.datum(0, 2))});
        spi.forget(taken);
    }
}

void hold(Pool &pool, std::string_view key, std::int64_t token, bool touch)
{
    pg::Spi spi;
    Row const row = lock_held(spi, pool, key, token);
    if (touch)
        write(spi, pool, pool.touch, {pg::Value::of(row.place), Moment().now()});
}

void release(Pool &pool, std::string_view key, std::int64_t token, Duration retry_after)
{
    pg::Spi spi;
    Row const row = lock_held(spi, pool, key, token);
    Moment const moment;
    write(spi, pool, pool.give_back,
          {pg::Value::of(row.place), moment.later(retry_after), moment.least_token()});
}

std::int64_t reassign(store::Store &store, Pool &pool, std::string_view key,
                      std::string_view new_owner, std::optional<std::string_view> reason)
{
    require_text("new_owner", new_owner);
    if (reason)
        require_text("reason", *reason);
    pg::Spi spi;
    auto const row = lock(spi, pool, key);
    if (!row)
        throw Failure(sqlstate::kUndefinedObject,
                      "row " + described(pool, key) + " does not exist");
    Moment const moment;
    std::int64_t const token =
        write(spi, pool, pool.take,
              {pg::Value::of(row->place), new_owner, moment.now(), moment.least_token()})
            .bigint(0, 1);
    auto const former_owner =
        row->owner ? std::optional<std::string_view>(*row->owner) : std::nullopt;
    spi.run(store.statement(kRecord),
            {std::string_view(pool.name), key, token, new_owner, row->token, former_owner, reason},
            pg::Sees::fresh);
    return token;
}

} // namespace arbiter::pool
