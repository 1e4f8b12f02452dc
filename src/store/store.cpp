#include "store/store.hpp"

#include <unordered_map>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "store/format.hpp"

namespace arbiter::store {

namespace {

struct Cached {
    StorePtr store;
    bool stale = false;
};

// Reached by pointer: a static destructor would run at backend exit.
using Cache = std::unordered_map<Oid, Cached>;
constinit Cache *cache = nullptr;

void mark_stale(Oid relation)
{
    if (!cache)
        return;
    for (auto &[schema, cached] : *cache)
        if (relation == pg::kNoOid || relation == cached.store->events)
            cached.stale = true;
}

std::string hint_upgrade(std::string_view name)
{
    return "Run SELECT arbiter.upgrade_store('" + replace_all(std::string(name), "'", "''") +
           "') as the store's owner.";
}

[[noreturn]] void refuse_format(std::string_view name, std::string detail, std::string hint)
{
    throw Failure(sqlstate::kStoreFormat,
                  "store \"" + std::string(name) + "\" does not have the format of this library",
                  std::move(detail), std::move(hint));
}

bool all_armed(Oid schema)
{
    for (const Trigger &trigger : triggers()) {
        Oid const table = pg::find_relation(schema, trigger.table);
        if (table == pg::kNoOid || !pg::is_armed(table, trigger.name, trigger.function))
            return false;
    }
    return true;
}

StorePtr load(Oid schema, Oid registry)
{
    enum { kFormat, kUniqueEventIds };
    std::int64_t settings[2];
    std::string name = pg::schema_name(schema);
    if (registry == pg::kNoOid || !pg::read_sole_row(registry, {2, 3}, settings))
        refuse_format(name, "Its table arbiter_store is missing or empty.",
                      "Restore the row from a backup.");
    Oid const events = pg::find_relation(schema, "events");
    if (events == pg::kNoOid || !pg::has_leading_columns(events, kEventColumns))
        refuse_format(name, "Its table events is missing or has other columns.",
                      "Restore the table from a backup.");
    return std::make_shared<Store>(
        Store{.name = name,
              .schema = schema,
              .events = events,
              .primary_key = pg::find_relation(schema, "events_pkey"),
              .event_id_key = pg::find_relation(schema, "events_stream_id_key"),
              .position_sequence = pg::find_relation(schema, "events_position"),
              .format = settings[kFormat],
              .unique_event_ids = settings[kUniqueEventIds] != 0,
              .armed = all_armed(schema),
              .statements = {}});
}

Oid find_registry(Oid schema)
{
    return schema == pg::kNoOid ? pg::kNoOid : pg::find_relation(schema, "arbiter_store");
}

StorePtr open_schema(Oid schema)
{
    if (auto found = cache->find(schema); found != cache->end() && !found->second.stale &&
                                          found->second.store->name == pg::schema_name(schema))
        return found->second.store;
    StorePtr store = load(schema, find_registry(schema));
    (*cache)[schema] = {store};
    return store;
}

void require_format(const Store &store)
{
    if (store.format > current_format())
        refuse_format(store.name,
                      "The store has format " + std::to_string(store.format) +
                          ", the library knows up to " + std::to_string(current_format()) + ".",
                      "Install the version of arbiter that wrote it.");
}

void require_writable(const Store &store)
{
    if (store.format < current_format())
        refuse_format(store.name,
                      "The store has format " + std::to_string(store.format) +
                          ", the library writes " + std::to_string(current_format()) + ".",
                      hint_upgrade(store.name));
    if (!store.armed)
        throw Failure(sqlstate::kStoreFormat, "store \"" + store.name + "\" is not armed",
                      "A trigger that guards its tables is missing or disabled.",
                      hint_upgrade(store.name));
}

} // namespace

pg::Statement &Store::statement(const Query &query)
{
    auto found = statements.find(&query);
    if (found == statements.end())
        found =
            statements
                .try_emplace(&query, replace_all(query.sql, kPlaceholder, quote_identifier(name)),
                             std::span(query.types.data(), query.count))
                .first;
    return found->second;
}

StorePtr open_for_reading(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "store name must not be empty");
    Oid const schema = pg::find_schema(name);
    if (find_registry(schema) == pg::kNoOid)
        throw Failure(sqlstate::kUndefinedObject,
                      "store \"" + std::string(name) + "\" does not exist", {},
                      "Create it with arbiter.create_store, or see the view arbiter.stores.");
    pg::require_usage(schema);
    StorePtr store = open_schema(schema);
    require_format(*store);
    return store;
}

StorePtr open_for_writing(std::string_view name)
{
    StorePtr store = open_for_reading(name);
    require_writable(*store);
    return store;
}

StorePtr open_by_events_table(Oid events)
{
    Oid const schema = pg::schema_of(events);
    if (find_registry(schema) == pg::kNoOid || pg::find_relation(schema, "events") != events)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "the trigger belongs on the events table of a store", {},
                      "Create the table with arbiter.create_store.");
    StorePtr store = open_schema(schema);
    require_format(*store);
    require_writable(*store);
    return store;
}

bool exists(std::string_view name)
{
    return find_registry(pg::find_schema(name)) != pg::kNoOid;
}

State state(Oid schema)
{
    StorePtr const store = open_schema(schema);
    return {store->format, store->armed};
}

void initialize()
{
    cache = new Cache;
    pg::on_relation_change(mark_stale);
}

} // namespace arbiter::store
