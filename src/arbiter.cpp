// The library's table of contents.
#include "pg/entry.hpp"

#include "pg/guard.hpp"
#include "store/store.hpp"

extern "C" {
#if PG_VERSION_NUM >= 180000
PG_MODULE_MAGIC_EXT(.name = "arbiter", .version = ARBITER_VERSION);
#else
PG_MODULE_MAGIC;
#endif
PGDLLEXPORT void _PG_init(void);
}

static void initialize()
{
    arbiter::pg::initialize_guard();
    arbiter::store::initialize();
}

void _PG_init(void)
{
    arbiter::pg::entry<initialize>();
}
