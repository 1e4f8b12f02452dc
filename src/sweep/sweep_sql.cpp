#include "pg/arguments.hpp"
#include "pg/clock.hpp"
#include "pg/entry.hpp"
#include "pg/procedure.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "sweep/registry.hpp"
#include "sweep/rows.hpp"
#include "sweep/run.hpp"

using namespace arbiter;

namespace {

std::optional<std::string> optional_string(const pg::Arguments &arguments, int n)
{
    auto const text = arguments.optional_text(n);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

} // namespace

ARBITER_FUNCTION(arbiter_create_sweep)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "sweep");
    std::string const relation(arguments.text(2, "relation"));
    sweep::Definition columns{.table = 0,
                              .relation = {},
                              .key = std::string(arguments.text(3, "key")),
                              .predicate = std::string(arguments.text(4, "predicate")),
                              .order_by = std::string(arguments.text(5, "order_by")),
                              .machine = optional_string(arguments, 6),
                              .command = optional_string(arguments, 7)};
    pg::require_writable("arbiter.create_sweep()");
    auto const store = store::open_for_writing(store_name);
    auto const given = sweep::define(relation, std::move(columns));
    if (sweep::create(*store, name, given) == sweep::Made::existed)
        pg::notice("sweep \"" + std::string(name) + "\" already exists, skipping");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_sweep)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "sweep");
    pg::require_writable("arbiter.drop_sweep()");
    sweep::drop(*store::open_for_writing(store_name), name);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_due_rows)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "sweep");
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    pg::require_writable("arbiter.due_rows()");
    sweep::check_max_count(max_count);
    auto const store = store::open_for_writing(store_name);
    auto const definition = sweep::find(*store, name);
    auto const now = static_cast<sweep::Time>(pg::clock_timestamp());
    pg::ResultSet rows(fcinfo, pg::Columns::one);
    for (const std::string &key : sweep::find_due(*store, name, definition, now, max_count))
        rows.add({std::string_view(key)});
    return 0;
}

ARBITER_FUNCTION(arbiter_run_sweep)
{
    pg::Arguments const arguments(fcinfo);
    // Copied: the arguments' own memory may not outlive a commit.
    std::string const store(arguments.text(0, "store"));
    std::string const name(arguments.text(1, "sweep"));
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    pg::require_writable("arbiter.run_sweep()");
    sweep::Swept swept;
    {
        pg::Procedure procedure(fcinfo);
        swept = sweep::run(procedure, store, name, max_count);
    }
    return pg::row_datum(fcinfo, {swept.done, swept.already, swept.failed});
}
