// The library's table of contents.
#include "pg/entry.hpp"

#include "derivation/watch.hpp"
#include "guard/known.hpp"
#include "machine/governor.hpp"
#include "pg/compat.hpp"
#include "pg/guard.hpp"
#include "pg/key_names.hpp"
#include "pg/planning.hpp"
#include "pg/sequence.hpp"
#include "pool/pool.hpp"
#include "runner/processes.hpp"
#include "shared/counters.hpp"
#include "shared/progress.hpp"
#include "shared/wakeup.hpp"
#include "store/store.hpp"

extern "C" {
ARBITER_MODULE_MAGIC;
PGDLLEXPORT void _PG_init(void);
}

static void initialize()
{
    arbiter::pg::initialize_guard();
    arbiter::pg::initialize_sequences();
    arbiter::pg::initialize_planning();
    arbiter::pg::request_key_names();
    arbiter::shared::initialize_wakeup();
    arbiter::shared::request_counters();
    arbiter::shared::request_progress();
    arbiter::store::initialize();
    arbiter::derivation::watch_functions();
    arbiter::machine::govern_log();
    arbiter::guard::reword_violations();
    arbiter::pool::initialize();
    arbiter::runner::initialize();
}

void _PG_init(void)
{
    arbiter::pg::entry<initialize>();
}
