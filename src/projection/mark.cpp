#include "projection/mark.hpp"

#include <functional>
#include <set>
#include <string>

#include "projection/held.hpp"

namespace arbiter::projection {

namespace {

// The number of a session that is gone may have become another's: then this mark says nothing, and
// the next session that is lost leaves one that does.
constexpr store::Query kDied{
    "SELECT c.runner IS NOT NULL AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_activity AS a "
    "WHERE a.pid OPERATOR(pg_catalog.=) c.runner) "
    "FROM {store}.projection_cursors AS c WHERE c.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};

bool has_died(Turn &turn)
{
    return turn.spi()
        .run(turn.store().statement(kDied), {turn.projection().name}, pg::Sees::fresh)
        .boolean(0, 0);
}

// The cursor goes past the batch without it.
void hand_over(Turn &turn, std::int64_t max_count)
{
    const Runnable &projection = turn.projection();
    auto const feed = read_feed(turn.store(), projection, max_count);
    std::set<std::string, std::less<>> streams;
    for (Held &held : held_back(turn.store(), projection.name))
        streams.insert(std::move(held.stream));
    for (const Event &event : feed.events)
        if (streams.emplace(event.stream).second)
            hold_untried(turn.store(), {projection.name, event.stream}, event.revision);
    turn.leave(feed.position);
}

} // namespace

Mark mark(Turn &turn, std::int64_t max_count)
{
    turn.require_handler();
    if (turn.settled() == turn.projection().position)
        return Mark::not_needed;
    if (has_died(turn)) {
        hand_over(turn, max_count);
        return Mark::handed_over;
    }
    turn.leave_mark();
    return Mark::left;
}

} // namespace arbiter::projection
