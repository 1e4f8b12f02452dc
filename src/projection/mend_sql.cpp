#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/procedure.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "projection/mend.hpp"
#include "projection/reconcile.hpp"
#include "projection/wait.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_retry_failures)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    pg::require_writable("arbiter.retry_failures()");
    auto const store = store::open_for_writing(store_name);
    auto const ran = projection::retry_failures(*store, projection, max_count);
    if (ran.is_busy)
        return pg::row_datum(fcinfo,
                             {std::string_view("busy"), pg::Value::null(), pg::Value::null()});
    return pg::row_datum(fcinfo, {std::string_view("ran"), ran.applied, ran.failed});
}

ARBITER_FUNCTION(arbiter_resolve_failure)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    projection::Place const place{arguments.text(1, "projection"), arguments.text(2, "entity")};
    std::int64_t const revision = arguments.bigint(3, "revision");
    auto const reason = arguments.text(4, "reason");
    pg::require_writable("arbiter.resolve_failure()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_BOOL(projection::resolve(*store, place, revision, reason));
}

ARBITER_FUNCTION(arbiter_rebuild_projection)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    pg::require_writable("arbiter.rebuild_projection()");
    projection::rebuild(*store::open_for_writing(store_name), projection);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_wait_for_projection)
{
    pg::Arguments arguments(fcinfo);
    // Copied: the arguments' own memory may not outlive a commit.
    std::string const store(arguments.text(0, "store"));
    std::string const projection(arguments.text(1, "projection"));
    std::string const stream(arguments.text(2, "stream"));
    std::int64_t const revision = arguments.bigint(3, "revision");
    Duration const timeout = arguments.duration(4, "timeout");
    bool ready = false;
    {
        pg::Procedure procedure(fcinfo);
        ready = projection::wait_for(procedure, store, {projection, stream}, revision, timeout);
    }
    return pg::row_datum(fcinfo, {ready});
}

ARBITER_FUNCTION(arbiter_reconcile)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    pg::require_writable("arbiter.reconcile()");
    auto const store = store::open_for_writing(store_name);
    auto const reconciled = projection::reconcile(*store, projection);
    return pg::row_datum(fcinfo, {reconciled.checked, reconciled.repaired, reconciled.failed});
}

ARBITER_FUNCTION(arbiter_record_reconciliation)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    projection::Reconciled const reconciled{.checked = arguments.bigint(2, "checked"),
                                            .repaired = arguments.bigint(3, "repaired"),
                                            .failed = arguments.bigint(4, "failed")};
    auto const detail = arguments.optional_jsonb(5);
    pg::require_writable("arbiter.record_reconciliation()");
    projection::record_reconciliation(*store::open_for_writing(store_name), projection, reconciled,
                                      detail ? pg::Value::of(*detail) : pg::Value::null());
    PG_RETURN_VOID();
}
