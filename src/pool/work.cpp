#include "pool/work.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "pg/result_set.hpp"
#include "pg/row_lock.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"
#include "pg/transaction.hpp"
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

std::vector<Datum> places(const pg::Rows &rows)
{
    std::vector<Datum> places;
    for (std::uint64_t n = 0; n < rows.count(); ++n)
        places.push_back(rows.datum(n, 0));
    return places;
}

// Where the transaction has one snapshot, the server answers 40001 for a row that somebody took
// between the look and the lock, though the next one would do as well. So the locks are taken here.
class Picker {
public:
    Picker(pg::Spi &spi, Pool &pool, const Moment &moment, std::int64_t max_count)
        : spi_(spi), pool_(pool), moment_(moment), max_count_(max_count),
          looks_at_(std::min(max_count, kMost) + kMore)
    {
    }

    std::vector<Datum> pick()
    {
        while (!look())
            ;
        return std::move(picked_);
    }

private:
    static constexpr std::int64_t kMore = 16; // others are at the first ones, too
    static constexpr std::int64_t kMost = std::int64_t{1} << 40; // more than a table has

    // In order, and what was locked before comes again. True if that is all, or as many as asked.
    bool look()
    {
        pg::Rows const found = spi_.run(pool_.look, {moment_.now()}, pg::Sees::latest, looks_at_);
        picked_.clear();
        bool changed = false;
        for (Datum const place : places(found)) {
            pg::RowLock const lock = pg::lock_row(pool_.definition.relation, place, pg::Waits::no);
            changed = changed || lock == pg::RowLock::moved;
            if (lock == pg::RowLock::taken)
                picked_.push_back(place);
            if (static_cast<std::int64_t>(picked_.size()) == max_count_)
                return true;
        }
        bool const saw_all = static_cast<std::int64_t>(found.count()) < looks_at_;
        looks_at_ *= saw_all ? 1 : 4;
        return saw_all && !changed;
    }

    pg::Spi &spi_;
    Pool &pool_;
    const Moment &moment_;
    std::int64_t const max_count_;
    std::int64_t looks_at_;
    std::vector<Datum> picked_;
};

// Where the free rows are that are locked now, in order. They live as long as the Spi.
std::vector<Datum> pick(pg::Spi &spi, Pool &pool, const Moment &moment, std::int64_t max_count)
{
    pg::PortableNames const portable; // which the predicate is written in
    if (pg::keeps_its_snapshot())
        return Picker(spi, pool, moment, max_count).pick();
    return places(spi.run(pool.pick, {moment.now()}, pg::Sees::latest, max_count));
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
    pg::Value const new_owner(owner);
    for (Datum const place : pick(spi, pool, moment, max_count)) {
        pg::Rows const taken =
            write(spi, pool, pool.take,
                  {pg::Value::of(place), new_owner, moment.now(), moment.least_token()});
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
