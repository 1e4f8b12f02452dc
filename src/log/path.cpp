#include "log/path.hpp"

#ifdef ARBITER_TEST_BUILD
#include "pg/setting.hpp"
#endif

namespace arbiter::log {

#ifdef ARBITER_TEST_BUILD

namespace {
constinit pg::Setting force_portable{"arbiter.force_portable_append",
                                     "Writes every event by an ordinary INSERT."};
}

void initialize_path()
{
    force_portable.define();
}

Path choose_path(const store::Store &store)
{
    return store.plain && !force_portable.is_on() ? Path::direct : Path::portable;
}

#else

void initialize_path() {}

Path choose_path(const store::Store &store)
{
    return store.plain ? Path::direct : Path::portable;
}

#endif

} // namespace arbiter::log
