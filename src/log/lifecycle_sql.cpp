#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/transaction.hpp"

#include "log/append.hpp"
#include "log/lifecycle.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_close_stream)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const reason = arguments.text(2, "reason");
    pg::require_writable("arbiter.close_stream()");
    auto const store = log::open_for_append(store_name);
    PG_RETURN_INT64(log::close_stream(*store, stream, reason));
}

ARBITER_FUNCTION(arbiter_truncate_stream)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const before = arguments.bigint(2, "before");
    auto const reason = arguments.text(3, "reason");
    pg::require_writable("arbiter.truncate_stream()");
    auto const store = log::open_for_append(store_name);
    PG_RETURN_INT64(log::truncate_stream(*store, stream, before, reason));
}

ARBITER_FUNCTION(arbiter_redact)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const revision = arguments.bigint(2, "revision");
    auto const reason = arguments.text(3, "reason");
    pg::require_writable("arbiter.redact()");
    auto const store = log::open_for_append(store_name);
    PG_RETURN_INT64(log::redact(*store, stream, revision, reason));
}
