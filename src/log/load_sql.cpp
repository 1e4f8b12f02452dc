#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "log/load.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_load_stream)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    bool const lock = arguments.boolean(2, "lock");
    auto const timeout = arguments.duration(3, "timeout");
    log::LoadOptions const options{.lock_within = lock ? std::optional(timeout) : std::nullopt,
                                   .from_revision = arguments.bigint(4, "from_revision")};
    if (lock) {
        pg::require_primary("arbiter.load_stream()");
        pg::require_transaction_block(fcinfo, "arbiter.load_stream() with a lock");
    }
    auto const store = store::open_for_reading(store_name);
    pg::ResultSet events(fcinfo);
    log::load_stream(*store, stream, options, events);
    return 0;
}
