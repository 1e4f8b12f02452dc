#include "log/path.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/transaction.hpp"

namespace arbiter::log {

// make build/portable/arbiter.so builds the library with this set: the suites pass on both paths.
#ifdef ARBITER_FORCE_PORTABLE
constexpr bool kForcePortable = true;
#else
constexpr bool kForcePortable = false;
#endif

Path choose_path(const store::Store &store)
{
    if (store.plain && !kForcePortable)
        return Path::direct;
    if (!pg::fires_triggers())
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "this session fires no triggers, so nobody would judge the event",
                      "session_replication_role is replica, and the events table of store \"" +
                          store.name + "\" is written by INSERT, since it was extended.",
                      "SET session_replication_role = origin.");
    return Path::portable;
}

} // namespace arbiter::log
