#include "log/path.hpp"

namespace arbiter::log {

// make build/portable/arbiter.so builds the library with this set: the suites pass on both paths.
#ifdef ARBITER_FORCE_PORTABLE
constexpr bool kForcePortable = true;
#else
constexpr bool kForcePortable = false;
#endif

Path choose_path(const store::Store &store)
{
    return store.plain && !kForcePortable ? Path::direct : Path::portable;
}

} // namespace arbiter::log
