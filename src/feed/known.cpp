#include "feed/known.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "pg/snapshot.hpp"

namespace arbiter::feed {

namespace {

// Everything from one to the other is settled in that sight; nothing is said of what is before.
struct Known {
    std::int64_t after;
    std::int64_t horizon;
    pg::Sight sight;
};

// By sequence; one for each consumer of this session at most, as what meets becomes one. Reached by
// pointer: a static destructor would run at backend exit.
using All = std::unordered_map<Oid, std::vector<Known>>;
constinit All *all = nullptr;

} // namespace

std::int64_t known_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after) noexcept
{
    std::int64_t horizon = 0;
    if (!all)
        return horizon;
    if (auto const found = all->find(sequence); found != all->end())
        for (const Known &known : found->second)
            if (known.after <= after && known.horizon > horizon && known.sight.is_within(sight))
                horizon = known.horizon;
    return horizon;
}

void remember_horizon(Oid sequence, const SnapshotData *sight, std::int64_t after,
                      std::int64_t horizon)
{
    if (!all)
        all = new All;
    std::vector<Known> &known = (*all)[sequence];
    std::erase_if(known, [&](const Known &old) {
        bool const meets = old.after <= horizon && after <= old.horizon;
        if (!meets || !old.sight.is_within(sight))
            return false;
        after = std::min(after, old.after);
        horizon = std::max(horizon, old.horizon);
        return true;
    });
    known.push_back({after, horizon, pg::Sight(sight)});
}

} // namespace arbiter::feed
