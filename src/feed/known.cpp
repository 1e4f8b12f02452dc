#include "feed/known.hpp"

#include <unordered_map>

#include "pg/snapshot.hpp"

namespace arbiter::feed {

namespace {

struct Known {
    std::int64_t horizon;
    pg::Sight sight;
};

// Reached by pointer: a static destructor would run at backend exit.
using All = std::unordered_map<Oid, Known>;
constinit All *all = nullptr;

} // namespace

std::int64_t known_horizon(Oid sequence, const SnapshotData *sight) noexcept
{
    if (!all)
        return 0;
    auto const found = all->find(sequence);
    return found != all->end() && found->second.sight.is_within(sight) ? found->second.horizon : 0;
}

void remember_horizon(Oid sequence, const SnapshotData *sight, std::int64_t horizon)
{
    if (!all)
        all = new All;
    all->insert_or_assign(sequence, Known{horizon, pg::Sight(sight)});
}

} // namespace arbiter::feed
