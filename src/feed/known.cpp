#include "feed/known.hpp"

#include <unordered_map>

#include "feed/ranges.hpp"
#include "pg/snapshot.hpp"

namespace arbiter::feed {

namespace {

// By sequence. Reached by pointer: a static destructor would run at backend exit.
using All = std::unordered_map<Oid, Ranges<pg::Sight>>;
constinit All *all = nullptr;

auto within(const SnapshotData *snapshot) noexcept
{
    return [snapshot](const pg::Sight &sight) { return sight.is_within(snapshot); };
}

} // namespace

std::int64_t known_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after) noexcept
{
    if (!all)
        return 0;
    auto const found = all->find(sequence);
    return found == all->end() ? 0 : found->second.end_behind(after, within(sight));
}

void remember_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after,
                      std::int64_t horizon)
{
    if (!all)
        all = new All;
    (*all)[sequence].add(after, horizon, pg::Sight(sight), within(sight));
}

} // namespace arbiter::feed
