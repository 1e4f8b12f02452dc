#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"
#include "store/lifecycle.hpp"
#include "store/store.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_create_store)
{
    pg::Arguments arguments(fcinfo);
    auto const name = arguments.text(0, "store");
    bool const unique_event_ids = arguments.boolean(1, "unique_event_ids");
    pg::require_writable("arbiter.create_store()");
    if (store::create(name, unique_event_ids) == store::Made::existed)
        pg::notice("store \"" + std::string(name) + "\" already exists, skipping");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_upgrade_store)
{
    pg::Arguments arguments(fcinfo);
    auto const name = arguments.text(0, "store");
    pg::require_writable("arbiter.upgrade_store()");
    if (store::upgrade(name) == store::Upgraded::unchanged)
        pg::notice("store \"" + std::string(name) + "\" is up to date and armed");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_store)
{
    pg::Arguments arguments(fcinfo);
    auto const name = arguments.text(0, "store");
    bool const force = arguments.boolean(1, "force");
    pg::require_writable("arbiter.drop_store()");
    store::drop(name, force);
    PG_RETURN_VOID();
}

// For the view arbiter.stores: what open_for_reading would find, but a word instead of an error.
ARBITER_FUNCTION(arbiter_store_state)
{
    pg::Arguments arguments(fcinfo);
    auto const schema = static_cast<Oid>(arguments.bigint(0, "schema"));
    store::State const state = store::state(schema);
    return pg::row_datum(fcinfo, {pg::Value(state.format), state.armed});
}
