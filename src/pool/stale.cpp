#include "pool/stale.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "pg/result_set.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pool/row.hpp"
#include "shared/progress.hpp"

namespace arbiter::pool {

namespace {

// What has nothing to do with the row: cancelled, shut down, out of memory, deadlock…
bool concerns_all(const pg::Error &error)
{
    std::string const code = error.code();
    for (std::string_view const of_the_server : {"40", "53", "57", "58", "XX"})
        if (code.starts_with(of_the_server))
            return true;
    return false;
}

class Sweep {
public:
    Sweep(Pool &pool, Oid schema, Duration older_than, pg::ResultSet &rows)
        : pool_(pool), until_(moment_.earlier(older_than)), rows_(rows),
          progress_(shared::LongCall::return_stale, schema, pool.name)
    {
    }

    // One look for up to so many more; false if there is nothing left to do. The order is always
    // the same, so what failed comes first again.
    bool look(std::int64_t max_count)
    {
        pg::Rows const found = [&] {
            pg::PortableNames const portable; // which the predicate is written in
            return spi_.run(pool_.stale, {until_}, pg::Sees::latest,
                            max_count + static_cast<std::int64_t>(failed_.size()));
        }();
        std::vector<std::uint64_t> rows;
        for (std::uint64_t n = 0; n < found.count(); ++n)
            if (!failed_.contains(found.text(n, 1)))
                rows.push_back(n);
        if (!all_at_once(found, rows)) {
            progress_.set(returned_);
            one_by_one(found, rows);
        }
        spi_.forget(found);
        return !rows.empty();
    }
    std::int64_t returned() const noexcept { return returned_; }

private:
    void give_back(const pg::Rows &found, std::uint64_t n)
    {
        write(spi_, pool_, pool_.give_back,
              {pg::Value::of(found.datum(n, 0)), moment_.now(), moment_.least_token()});
        progress_.add(1);
    }

    // Where no row is bad, one subtransaction is all it takes.
    bool all_at_once(const pg::Rows &found, const std::vector<std::uint64_t> &rows)
    {
        if (!rows.empty() && attempt([&] {
                for (std::uint64_t const n : rows)
                    give_back(found, n);
            }))
            return false;
        for (std::uint64_t const n : rows)
            report(found, n, std::nullopt);
        return true;
    }

    void one_by_one(const pg::Rows &found, const std::vector<std::uint64_t> &rows)
    {
        for (std::uint64_t const n : rows)
            report(found, n, attempt([&] { give_back(found, n); }));
    }

    // What went wrong, if it was about the row.
    template <typename Body>
    static std::optional<std::string> attempt(Body body)
    {
        try {
            auto const error = pg::attempt(body);
            if (error && concerns_all(*error))
                throw pg::Error(*error);
            return error ? std::optional<std::string>(error->what()) : std::nullopt;
        } catch (const Failure &failure) {
            return failure.message();
        }
    }

    void report(const pg::Rows &found, std::uint64_t n, const std::optional<std::string> &error)
    {
        std::string_view const key = found.text(n, 1);
        if (error)
            failed_.emplace(key);
        else
            ++returned_;
        rows_.add({key, std::string_view(error ? "failed" : "returned"),
                   error ? pg::Value(std::string_view(*error)) : pg::Value::null()});
    }

    pg::Spi spi_;
    Pool &pool_;
    Moment const moment_;
    pg::Value const until_;
    pg::ResultSet &rows_;
    std::set<std::string, std::less<>> failed_;
    std::int64_t returned_ = 0;
    shared::Progress progress_;
};

} // namespace

void return_stale(Pool &pool, Oid schema, Duration older_than, std::int64_t max_count,
                  pg::ResultSet &rows)
{
    if (max_count < 1)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "max_count must be positive, not " + std::to_string(max_count));
    Sweep sweep(pool, schema, older_than, rows);
    max_count = std::min(max_count, std::int64_t{1} << 40); // more than a table has
    while (sweep.returned() < max_count && sweep.look(max_count - sweep.returned()))
        ;
}

} // namespace arbiter::pool
