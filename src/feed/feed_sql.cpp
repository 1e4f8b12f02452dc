#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/procedure.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "feed/blockers.hpp"
#include "feed/cursor.hpp"
#include "feed/horizon.hpp"
#include "feed/read.hpp"
#include "feed/tables.hpp"
#include "feed/wait.hpp"

using namespace arbiter;

namespace {

// What is said of positions is for those who may read them.
store::StorePtr open(std::string_view name)
{
    auto store = store::open_for_reading(name);
    pg::require_column(store->events, store::kPosition);
    return store;
}

} // namespace

ARBITER_FUNCTION(arbiter_read_feed)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    std::int64_t const after = arguments.bigint(1, "after");
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    if (!arguments.is_null(3))
        arguments.texts(3, "types"); // refuses a null among them
    feed::Filter const filter{.types = arguments.value(3), .category = arguments.optional_text(4)};
    pg::ResultSet events(fcinfo);
    feed::read(*store, after, max_count, filter, events);
    return 0;
}

ARBITER_FUNCTION(arbiter_feed_horizon)
{
    pg::Arguments arguments(fcinfo);
    auto const store = open(arguments.text(0, "store"));
    PG_RETURN_INT64(feed::horizon(*store, arguments.bigint(1, "after")));
}

ARBITER_FUNCTION(arbiter_feed_blockers)
{
    pg::Arguments arguments(fcinfo);
    auto const store = open(arguments.text(0, "store"));
    pg::ResultSet blockers(fcinfo);
    feed::add_blockers(*store, blockers);
    return 0;
}

ARBITER_FUNCTION(arbiter_wait_for_events)
{
    pg::Arguments arguments(fcinfo);
    // Copied: the arguments' own memory may not outlive a commit.
    std::string const store(arguments.text(0, "store"));
    std::int64_t const after = arguments.bigint(1, "after");
    Duration const timeout = arguments.duration(2, "timeout");
    open(store);
    bool ready = false;
    {
        pg::Procedure procedure(fcinfo);
        ready = feed::wait_for_events(procedure, store, after, timeout);
    }
    return pg::row_datum(fcinfo, {ready});
}

ARBITER_FUNCTION(arbiter_settle_feed)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    pg::require_writable("arbiter.settle_feed()");
    auto const store = store::open_for_writing(store_name);
    feed::settle(*store);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_save_cursor)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const consumer = arguments.text(1, "consumer");
    std::int64_t const position = arguments.bigint(2, "reached");
    pg::require_writable("arbiter.save_cursor()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_INT64(feed::save_cursor(*store, consumer, position));
}

ARBITER_FUNCTION(arbiter_cursor)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    PG_RETURN_INT64(feed::cursor(*store, arguments.text(1, "consumer")));
}

ARBITER_FUNCTION(arbiter_guard_feed)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    std::string const store_name = pg::schema_of(trigger);
    if (!TRIGGER_FIRED_FOR_ROW(trigger.tg_event))
        throw Failure(sqlstate::kAppendOnly,
                      "the settled horizon of store \"" + store_name + "\" is not forgotten");
    bool const is_update = TRIGGER_FIRED_BY_UPDATE(trigger.tg_event);
    HeapTuple const row = is_update ? trigger.tg_newtuple : trigger.tg_trigtuple;
    pg::Field const to = pg::field(trigger, row, feed::kSettled);
    std::int64_t const from =
        is_update ? DatumGetInt64(pg::field(trigger, trigger.tg_trigtuple, feed::kSettled).datum)
                  : 0;
    if (!to.null) // a null is the table's to refuse
        feed::guard_settled(*store::open_for_reading(store_name), from, DatumGetInt64(to.datum));
    return PointerGetDatum(row);
}

ARBITER_FUNCTION(arbiter_guard_cursors)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    pg::Field const name = pg::field(trigger, trigger.tg_newtuple, feed::kConsumer);
    pg::Field const to = pg::field(trigger, trigger.tg_newtuple, feed::kPosition);
    if (name.null || to.null) // the table's to refuse
        return PointerGetDatum(trigger.tg_newtuple);
    bool const same_consumer = pg::call([&] {
        return DatumGetBool(DirectFunctionCall2Coll(
            texteq, C_COLLATION_OID, name.datum,
            pg::field(trigger, trigger.tg_trigtuple, feed::kConsumer).datum));
    });
    feed::guard_cursor(
        pg::schema_of(trigger), same_consumer,
        DatumGetInt64(pg::field(trigger, trigger.tg_trigtuple, feed::kPosition).datum),
        DatumGetInt64(to.datum));
    return PointerGetDatum(trigger.tg_newtuple);
}
