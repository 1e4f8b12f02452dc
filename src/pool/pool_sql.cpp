#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "pool/guard.hpp"
#include "pool/pool.hpp"
#include "pool/registry.hpp"
#include "pool/stale.hpp"
#include "pool/work.hpp"

using namespace arbiter;

namespace {

std::optional<std::string> optional_string(const pg::Arguments &arguments, int n)
{
    auto const text = arguments.optional_text(n);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::string string(const pg::Arguments &arguments, int n, const char *name)
{
    return std::string(arguments.text(n, name));
}

// Whoever asks for rows in order should not wait for all the others to be sorted.
void advise(std::string_view name, const pool::Definition &definition)
{
    if (pool::has_index(definition))
        return;
    pg::warning("no index supports pool \"" + std::string(name) + "\"",
                "Every allocation reads and sorts all rows that are free.",
                pool::create_index(definition));
}

// The arguments that every call on one row begins with.
struct OneRow {
    explicit OneRow(const pg::Arguments &arguments)
        : store(arguments.text(0, "store")), pool(arguments.text(1, "pool")),
          key(arguments.text(2, "key"))
    {
    }
    std::string_view store, pool, key;
};

} // namespace

ARBITER_FUNCTION(arbiter_create_pool)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "pool");
    std::string const relation = string(arguments, 2, "relation");
    pool::Definition columns{.key = string(arguments, 3, "key"),
                             .owner = string(arguments, 4, "owner_column"),
                             .since = string(arguments, 5, "since_column"),
                             .token = string(arguments, 6, "token_column"),
                             .predicate = optional_string(arguments, 7),
                             .order_by = {}};
    pg::require_writable("arbiter.create_pool()");
    auto const store = store::open_for_writing(store_name);
    auto const given = pool::define(relation, std::move(columns), optional_string(arguments, 8));
    if (pool::create(*store, name, given) == pool::Made::existed)
        pg::notice("pool \"" + std::string(name) + "\" already exists, skipping");
    advise(name, given);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_pool)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "pool");
    bool const force = arguments.boolean(2, "force");
    pg::require_writable("arbiter.drop_pool()");
    pool::drop(*store::open_for_writing(store_name), name, force);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_allocate)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "pool");
    auto const owner = arguments.text(2, "owner");
    std::int64_t const max_count = arguments.bigint(3, "max_count");
    pg::require_writable("arbiter.allocate()");
    auto const store = store::open_for_writing(store_name);
    auto const pool = pool::open(*store, name);
    pg::ResultSet rows(fcinfo);
    pool::allocate(*pool, owner, max_count, rows);
    return 0;
}

ARBITER_FUNCTION(arbiter_hold_work)
{
    pg::Arguments const arguments(fcinfo);
    OneRow const target(arguments);
    std::int64_t const token = arguments.bigint(3, "token");
    bool const touch = arguments.boolean(4, "touch");
    pg::require_writable("arbiter.hold_work()");
    auto const store = store::open_for_writing(target.store);
    pool::hold(*pool::open(*store, target.pool), target.key, token, touch);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_release_work)
{
    pg::Arguments const arguments(fcinfo);
    OneRow const target(arguments);
    std::int64_t const token = arguments.bigint(3, "token");
    auto const retry_after = arguments.optional_duration(4, "retry_after");
    pg::require_writable("arbiter.release_work()");
    auto const store = store::open_for_writing(target.store);
    pool::release(*pool::open(*store, target.pool), target.key, token,
                  retry_after.value_or(Duration::zero()));
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_reassign)
{
    pg::Arguments const arguments(fcinfo);
    OneRow const target(arguments);
    auto const new_owner = arguments.text(3, "new_owner");
    auto const reason = arguments.optional_text(4);
    pg::require_writable("arbiter.reassign()");
    auto const store = store::open_for_writing(target.store);
    auto const pool = pool::open(*store, target.pool);
    PG_RETURN_INT64(pool::reassign(*store, *pool, target.key, new_owner, reason));
}

ARBITER_FUNCTION(arbiter_return_stale)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "pool");
    Duration const older_than = arguments.duration(2, "older_than");
    std::int64_t const max_count = arguments.bigint(3, "max_count");
    pg::require_writable("arbiter.return_stale()");
    auto const store = store::open_for_writing(store_name);
    auto const pool = pool::open(*store, name);
    pg::ResultSet rows(fcinfo);
    pool::return_stale(*pool, store->schema, older_than, max_count, rows);
    return 0;
}

namespace {

struct Change {
    bool same_owner;
    std::optional<std::int64_t> from, to;
};

std::optional<std::int64_t> number(const pg::Field &field)
{
    return field.null ? std::nullopt : std::optional(DatumGetInt64(field.datum));
}

int column_number(const TriggerData &trigger, const char *name)
{
    int const number = SPI_fnumber(RelationGetDescr(trigger.tg_relation), name);
    if (number <= 0)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      std::string("column \"") + name + "\" of a pool is gone", {},
                      "Name it as it was, or drop the pool and create it anew.");
    return number;
}

// Byte by byte: a change that the type takes for none is one that nobody has to make.
bool same(const TriggerData &trigger, int column)
{
    pg::Field const from = pg::field(trigger, trigger.tg_trigtuple, column);
    pg::Field const to = pg::field(trigger, trigger.tg_newtuple, column);
    if (from.null || to.null)
        return from.null == to.null;
    Form_pg_attribute const attribute =
        TupleDescAttr(RelationGetDescr(trigger.tg_relation), column - 1);
    return pg::call([=] {
        return datum_image_eq(from.datum, to.datum, attribute->attbyval, attribute->attlen);
    });
}

Change change_of(const TriggerData &trigger, const char *owner, const char *token)
{
    int const token_number = column_number(trigger, token);
    return {same(trigger, column_number(trigger, owner)),
            number(pg::field(trigger, trigger.tg_trigtuple, token_number)),
            number(pg::field(trigger, trigger.tg_newtuple, token_number))};
}

} // namespace

ARBITER_FUNCTION(arbiter_guard_pool)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    char **const arguments = trigger.tg_trigger->tgargs;
    if (trigger.tg_trigger->tgnargs != 4 || !TRIGGER_FIRED_BY_UPDATE(trigger.tg_event) ||
        !TRIGGER_FIRED_FOR_ROW(trigger.tg_event))
        throw Failure(sqlstate::kTriggerProtocolViolated,
                      "this trigger is made by arbiter.create_pool only");
    Change const change = change_of(trigger, arguments[2], arguments[3]);
    pool::guard_change(arguments[0], arguments[1], change.same_owner, change.from, change.to);
    return PointerGetDatum(trigger.tg_newtuple);
}
