#include "feed/horizon.hpp"

#include <algorithm>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "feed/known.hpp"
#include "feed/read.hpp"
#include "feed/walk.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"

namespace arbiter::feed {

namespace {

constexpr store::Query kRecord{
    "INSERT INTO {store}.feed AS f (settled) VALUES ($1) ON CONFLICT (singleton) "
    "DO UPDATE SET settled = excluded.settled, settled_at = pg_catalog.clock_timestamp() "
    "WHERE f.settled OPERATOR(pg_catalog.<) excluded.settled",
    pg::Type::bigint};

// Where nothing has ended since the caller's snapshot, what it does not see below the lowest
// position in progress is dead, and there is nothing to look at.
std::int64_t settled_without_looking(const View::Findings &findings)
{
    const auto &[settled, handed_out, in_progress] = findings.evidence;
    if (!findings.is_present || in_progress <= 0)
        return settled;
    return std::max(settled, std::min(in_progress - 1, handed_out));
}

} // namespace

std::int64_t horizon(store::Store &store, std::int64_t after)
{
    check_cursor(after);
    View view(store, after);
    const View::Findings &findings = view.findings();
    std::int64_t const from = settled_without_looking(findings);
    Walk walk(view, std::max(after, from));
    if (from > findings.evidence.settled)
        walk.durability().require_all();
    while (walk.next())
        ;
    std::int64_t const horizon = walk.horizon();
    walk.durability().flush();
    if (!view.is_standby()) // found without a look, it holds from the beginning
        remember_horizon(store.position_sequence, view.sight(),
                         from > findings.evidence.settled ? 0 : after, horizon);
    return horizon;
}

void settle(store::Store &store)
{
    std::int64_t const settled = horizon(store, 0);
    store::AsOwner const owner(store);
    pg::Spi spi;
    spi.run(store.statement(kRecord), {settled}, pg::Sees::fresh);
}

void guard_settled(store::Store &store, std::int64_t from, std::int64_t to)
{
    if (to >= from && to <= horizon(store, from))
        return;
    throw Failure(
        sqlstate::kAppendOnly,
        "the settled horizon of store \"" + store.name + "\" cannot become " + std::to_string(to),
        to < from ? "It is " + std::to_string(from) + " and never goes back."
                  : std::string("Events may still appear at or below it."),
        "Run CALL arbiter.settle_feed(" + quote_literal(store.name) + "), which finds it out.");
}

} // namespace arbiter::feed
