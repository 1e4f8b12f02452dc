#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/procedure.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "projection/run_all.hpp"
#include "projection/runner.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_run_projection)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    pg::require_writable("arbiter.run_projection()");
    auto const store = store::open_for_writing(store_name);
    auto const ran = projection::run(*store, projection, max_count);
    if (ran.is_busy)
        return pg::row_datum(fcinfo,
                             {std::string_view("busy"), pg::Value::null(), pg::Value::null(),
                              pg::Value::null(), pg::Value::null(), pg::Value::null()});
    return pg::row_datum(fcinfo, {std::string_view("ran"), ran.applied, ran.failed, ran.held_back,
                                  ran.position, ran.is_caught_up});
}

ARBITER_FUNCTION(arbiter_run_projections)
{
    pg::Arguments arguments(fcinfo);
    // Copied: the arguments' own memory may not outlive a commit.
    std::string const store(arguments.text(0, "store"));
    std::int64_t const max_count = arguments.bigint(1, "max_count");
    pg::require_writable("arbiter.run_projections()");
    projection::RanAll total;
    {
        pg::Procedure procedure(fcinfo);
        total = projection::run_all(procedure, store, max_count);
    }
    return pg::row_datum(fcinfo, {total.applied, total.failed});
}
