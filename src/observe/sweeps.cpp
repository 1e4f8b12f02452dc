#include "observe/sweeps.hpp"

#include <optional>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/error.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "store/format.hpp"
#include "sweep/index.hpp"
#include "sweep/registry.hpp"

namespace arbiter::observe {

namespace {

// After so many times a rest has grown to its ten minutes. A rest that is older than a day is one
// that nobody has ended: its row is not due any more.
constexpr store::Query kSweeps{
    "SELECT s.sweep, f.failing, f.error FROM {store}.sweeps AS s LEFT JOIN LATERAL ("
    "SELECT pg_catalog.count(*) AS failing, (pg_catalog.array_agg(r.error ORDER BY "
    "r.next_attempt_at DESC) FILTER (WHERE r.error IS NOT NULL))[1] AS error "
    "FROM {store}.sweep_rests AS r WHERE r.sweep OPERATOR(pg_catalog.=) s.sweep "
    "AND r.attempts OPERATOR(pg_catalog.>=) 10 AND r.next_attempt_at OPERATOR(pg_catalog.>) "
    "(pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) '1 day'::pg_catalog.interval)) "
    "AS f ON true ORDER BY s.sweep"};

struct Sweep {
    std::string name;
    std::int64_t failing;
    std::string error;
};

std::vector<Sweep> all(store::Store &store)
{
    enum { kName, kFailing, kError };
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kSweeps), {}, pg::Sees::caller);
    std::vector<Sweep> found;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        found.push_back({std::string(rows.text(row, kName)), rows.bigint(row, kFailing),
                         rows.is_null(row, kError) ? "" : std::string(rows.text(row, kError))});
    return found;
}

// Why it cannot be run; nothing where it can.
std::optional<std::string> find(store::Store &store, const std::string &name,
                                std::optional<sweep::Definition> &definition)
{
    try {
        auto const error = pg::attempt([&] { definition = sweep::find(store, name); });
        if (!error)
            return std::nullopt;
        if (!error->code().starts_with("42"))
            throw *error;
        return error->what();
    } catch (const Failure &failure) {
        return failure.detail();
    }
}

// Nobody is told of a table that he may not read; then the question is open.
bool lacks_index(const sweep::Definition &definition)
{
    bool has_index = true;
    auto const error = pg::attempt([&] { has_index = sweep::has_index(definition); });
    if (error && error->code() != "42501")
        throw *error;
    return !error && !has_index;
}

void examine(store::Store &store, const Sweep &sweep, std::vector<Finding> &findings)
{
    std::string const subject = "sweep " + sweep.name;
    std::optional<sweep::Definition> definition;
    if (auto const what = find(store, sweep.name, definition)) {
        findings.push_back({Severity::error, subject,
                            "it finds nothing until it is dropped and made anew: " + *what,
                            "SELECT arbiter.drop_sweep(" + quote_literal(store.name) + ", " +
                                quote_literal(sweep.name) + ")"});
        return;
    }
    if (lacks_index(*definition))
        findings.push_back({Severity::warning, subject,
                            "no index has its predicate or its order: each run reads the whole "
                            "table",
                            sweep::create_index(*definition)});
    if (sweep.failing > 0)
        findings.push_back({Severity::warning, subject,
                            std::to_string(sweep.failing) +
                                " rows are due, and have come to nothing ten times or more" +
                                (sweep.error.empty() ? "" : ": " + sweep.error),
                            "SELECT * FROM " + quote_identifier(store.name) +
                                ".sweep_rests WHERE sweep = " + quote_literal(sweep.name) +
                                " AND attempts >= 10 ORDER BY attempts DESC"});
}

} // namespace

void examine_sweeps(store::Store &store, std::vector<Finding> &findings)
{
    if (store.format < store::current_format())
        return;
    for (const Sweep &sweep : all(store))
        examine(store, sweep, findings);
}

} // namespace arbiter::observe
