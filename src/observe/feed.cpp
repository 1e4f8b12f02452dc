#include "observe/feed.hpp"

#include "base/quote.hpp"
#include "pg/spi.hpp"
#include "pg/transaction.hpp"

namespace arbiter::observe {

namespace {

// A minute is longer than a request and shorter than anybody's patience. Who has ended meanwhile
// has neither a process nor a gid, and is open since nothing.
constexpr store::Query kBlockers{
    "SELECT b.pid::pg_catalog.int8, b.gid, pg_catalog.date_trunc('second', "
    "b.since)::pg_catalog.text, "
    "COALESCE(b.first_position::pg_catalog.text, 'an unknown position') "
    "FROM arbiter.feed_blockers($1) AS b WHERE b.since OPERATOR(pg_catalog.<) "
    "(pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '1 minute'::pg_catalog.interval)",
    pg::Type::text};

} // namespace

void examine_feed(store::Store &store, std::vector<Finding> &findings)
{
    enum { kProcess, kPrepared, kSince, kPosition };
    if (pg::is_standby())
        return;
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kBlockers), {std::string_view(store.name)}, pg::Sees::caller);
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        bool const prepared = rows.is_null(row, kProcess);
        std::string const name = prepared ? quote_literal(rows.text(row, kPrepared))
                                          : std::to_string(rows.bigint(row, kProcess));
        findings.push_back(
            {Severity::warning, "feed",
             (prepared ? "prepared transaction " : "process ") + name + " holds readers back at " +
                 std::string(rows.text(row, kPosition)) + " since " +
                 std::string(rows.text(row, kSince)),
             prepared ? "ROLLBACK PREPARED " + name : "SELECT pg_terminate_backend(" + name + ")"});
    }
}

} // namespace arbiter::observe
