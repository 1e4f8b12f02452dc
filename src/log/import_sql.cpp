#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/transaction.hpp"

#include "log/import.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_import_events)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const source = arguments.text(1, "source");
    pg::require_writable("arbiter.import_events()");
    PG_RETURN_INT64(log::import_events(log::open_for_import(store_name), source));
}
