#include "store/lifecycle.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/lock_manager.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"
#include "store/format.hpp"
#include "store/store.hpp"

namespace arbiter::store {

namespace {

// A body between two $undo$ ends at the next one, also inside of a quoted name.
std::string in_store(std::string_view sql, std::string_view name)
{
    return replace_all(replace_all(std::string(sql), "$undo$", dollar_tag("undo", name)),
                       kPlaceholder, quote_identifier(name));
}

void apply_steps(pg::Spi &spi, std::string_view name, std::size_t from, bool unique_event_ids)
{
    for (std::size_t i = from; i < steps().size(); ++i) {
        spi.run(in_store(steps()[i].sql, name), pg::Sees::fresh);
        if (unique_event_ids && !steps()[i].sql_with_unique_event_ids.empty())
            spi.run(in_store(steps()[i].sql_with_unique_event_ids, name), pg::Sees::fresh);
    }
}

void arm(pg::Spi &spi, std::string_view name, const Trigger &trigger)
{
    std::string const table = quote_identifier(name) + "." + trigger.table;
    spi.run(std::string("CREATE OR REPLACE TRIGGER ") + trigger.name + " " +
                replace_all(trigger.event, "{table}", table) + " EXECUTE FUNCTION arbiter." +
                trigger.function + "()",
            pg::Sees::fresh);
    // CREATE OR REPLACE leaves a disabled trigger disabled.
    spi.run("ALTER TABLE " + table + " ENABLE TRIGGER " + trigger.name, pg::Sees::fresh);
}

void arm(pg::Spi &spi, std::string_view name)
{
    for (const Trigger &trigger : triggers())
        arm(spi, name, trigger);
    if (has_inline_projections(pg::find_schema(name)))
        arm(spi, name, inline_trigger());
}

// True if something was missing. Who may not ask has nothing that he could put back.
bool put_back(pg::Spi &spi, std::string_view name)
{
    std::vector<std::string> statements;
    for (const Step &step : steps()) {
        if (!step.put_back_from ||
            !pg::may_select(pg::find_relation(pg::find_schema(name), step.put_back_from)))
            continue;
        pg::Rows const missing = spi.run(in_store(step.put_back, name), pg::Sees::fresh);
        for (std::uint64_t row = 0; row < missing.count(); ++row)
            statements.emplace_back(missing.text(row, 0));
    }
    for (const std::string &statement : statements)
        spi.run(statement, pg::Sees::fresh);
    return !statements.empty();
}

void require_creatable(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "store name must not be empty");
    // The extension's schema holds code, the others belong to the server: a dump leaves their
    // contents out.
    if (name == "arbiter" || name == "information_schema" || name.starts_with("pg_"))
        throw Failure(sqlstate::kReservedName,
                      "schema \"" + std::string(name) + "\" cannot hold a store");
    constexpr std::size_t kMaxIdentifier = 63;
    if (name.size() > kMaxIdentifier)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "store name \"" + std::string(name) + "\" is too long",
                      "It has " + std::to_string(name.size()) +
                          " bytes, a schema's name has at most " + std::to_string(kMaxIdentifier) +
                          ".");
}

Made require_identical(std::string_view name, bool unique_event_ids)
{
    StorePtr const store = open_for_reading(name);
    if (store->unique_event_ids != unique_event_ids)
        throw Failure(sqlstate::kDuplicateObject,
                      "store \"" + std::string(name) + "\" exists with another definition",
                      std::string("It was created with unique_event_ids => ") +
                          (store->unique_event_ids ? "true." : "false."));
    return Made::existed;
}

} // namespace

void serialize_definition(std::string_view store)
{
    pg::acquire_lock(pg::LockSpace::definition, pg::lock_key(store), true);
}

void refuse_unseen_definition()
{
    throw Failure(sqlstate::kSerializationFailure,
                  "could not serialize access due to a concurrent definition", {},
                  "The transaction might succeed if retried.");
}

Made create(std::string_view name, bool unique_event_ids)
{
    require_creatable(name);
    serialize_definition(name);
    if (exists(name))
        return require_identical(name, unique_event_ids);
    pg::Spi spi;
    bool const owns_schema = pg::find_schema(name) == pg::kNoOid;
    if (owns_schema)
        spi.run("CREATE SCHEMA " + quote_identifier(name), pg::Sees::fresh);
    apply_steps(spi, name, 0, unique_event_ids);
    spi.run(in_store("INSERT INTO {store}.arbiter_store (format, unique_event_ids, owns_schema) "
                     "VALUES ($1::pg_catalog.int4, $2, $3)",
                     name),
            {pg::Type::bigint, pg::Type::boolean, pg::Type::boolean},
            {std::int64_t{current_format()}, unique_event_ids, owns_schema}, pg::Sees::fresh);
    arm(spi, name);
    return Made::created;
}

Upgraded upgrade(std::string_view name)
{
    serialize_definition(name);
    StorePtr const store = open_for_reading(name);
    AsOwner const owner(*store);
    pg::Spi spi;
    if (store->format == current_format() && store->armed)
        return put_back(spi, name) ? Upgraded::changed : Upgraded::unchanged;
    apply_steps(spi, name, static_cast<std::size_t>(store->format), store->unique_event_ids);
    spi.run(in_store("UPDATE {store}.arbiter_store SET format = $1::pg_catalog.int4", name),
            {pg::Type::bigint}, {std::int64_t{current_format()}}, pg::Sees::fresh);
    arm(spi, name);
    put_back(spi, name);
    pg::announce_change(store->events);
    return Upgraded::changed;
}

void arm_inline(std::string_view name)
{
    pg::Spi spi;
    arm(spi, name, inline_trigger());
}

void disarm_inline(std::string_view name)
{
    pg::Spi spi;
    spi.run(std::string("DROP TRIGGER IF EXISTS ") + inline_trigger().name + " ON " +
                quote_identifier(name) + "." + inline_trigger().table,
            pg::Sees::fresh);
}

void drop(std::string_view name, bool force)
{
    serialize_definition(name);
    StorePtr const store = open_for_reading(name);
    AsOwner const owner(*store);
    pg::Spi spi;
    // Locked before it is asked: an append between the question and the drop would be lost unasked.
    spi.run(in_store("LOCK TABLE {store}.events IN ACCESS EXCLUSIVE MODE", name), pg::Sees::fresh);
    // And asked for what is there now: the snapshot of REPEATABLE READ may be older than an event.
    pg::Statement any_event(in_store("SELECT FROM {store}.events LIMIT 1", name), {});
    if (!force && !spi.run(any_event, {}, pg::Sees::latest).empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "store \"" + std::string(name) + "\" holds events", {},
                      "Dropping it loses them; pass force => true if that is meant.");
    bool const owns_schema =
        spi.run(in_store("SELECT owns_schema FROM {store}.arbiter_store", name), pg::Sees::fresh)
            .boolean(0, 0);
    for (auto format = static_cast<std::size_t>(store->format); format > 0; --format)
        spi.run(in_store(steps()[format - 1].undo, name), pg::Sees::fresh);
    bool const is_empty =
        spi.run("SELECT FROM pg_catalog.pg_depend AS d WHERE d.refclassid OPERATOR(pg_catalog.=) "
                "'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.refobjid "
                "OPERATOR(pg_catalog.=) $1::pg_catalog.oid LIMIT 1",
                {pg::Type::bigint}, {static_cast<std::int64_t>(store->schema)}, pg::Sees::fresh)
            .empty();
    if (owns_schema && is_empty)
        spi.run("DROP SCHEMA " + quote_identifier(name), pg::Sees::fresh);
}

} // namespace arbiter::store
