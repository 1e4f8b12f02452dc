#include "store/store.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/lock_manager.hpp"
#include "pg/plain_table.hpp"
#include "pg/table_scan.hpp"
#include "pg/text.hpp"
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
// Tells a load whether something changed under it.
constinit std::uint64_t changes = 0;

bool concerns(const Store &store, Oid relation)
{
    return relation == pg::kNoOid || relation == store.events ||
           std::ranges::find(store.own_tables, relation) != store.own_tables.end();
}

void mark_stale(Oid relation)
{
    ++changes;
    for (auto &[schema, cached] : *cache)
        if (concerns(*cached.store, relation))
            cached.stale = true;
}

std::string hint_upgrade(std::string_view name)
{
    return "Run SELECT arbiter.upgrade_store(" + quote_literal(name) + ") as the store's owner.";
}

[[noreturn]] void refuse_format(std::string_view name, std::string detail, std::string hint)
{
    throw Failure(sqlstate::kStoreFormat,
                  "store \"" + std::string(name) + "\" does not have the format of this library",
                  std::move(detail), std::move(hint));
}

bool is_armed(Oid schema, const Trigger &trigger)
{
    Oid const table = pg::find_relation(schema, trigger.table);
    return table != pg::kNoOid &&
           pg::is_armed(table, trigger.name, trigger.function, trigger.event);
}

// The trigger first: where its end is heard of, that of the projections is seen.
bool all_armed(Oid schema)
{
    return std::ranges::all_of(
               triggers(),
               [schema](const Trigger &trigger) { return is_armed(schema, trigger); }) &&
           (is_armed(schema, inline_trigger()) || !has_inline_projections(schema));
}

constexpr pg::Column kRegistryColumns[] = {
    {"singleton", pg::Type::boolean},
    {"format", pg::Type::integer},
    {"unique_event_ids", pg::Type::boolean},
};

constexpr pg::Column kProjectionColumns[] = {
    {"projection", pg::Type::text},
    {"kind", pg::Type::text},
};

constexpr pg::Column kEventColumns[] = {
    {"position", pg::Type::bigint}, {"stream", pg::Type::text},
    {"revision", pg::Type::bigint}, {"id", pg::Type::uuid},
    {"type", pg::Type::text},       {"data", pg::Type::jsonb},
    {"metadata", pg::Type::jsonb},  {"recorded_at", pg::Type::timestamptz},
};

struct Settings {
    std::int64_t format;
    std::int64_t unique_event_ids;
};

Settings read_settings(const std::string &name, Oid registry)
{
    std::int64_t values[2];
    if (registry == pg::kNoOid || !pg::has_leading_columns(registry, kRegistryColumns) ||
        !pg::read_sole_row(registry, {2, 3}, values))
        refuse_format(name, "Its table arbiter_store is missing, empty or of another shape.",
                      "Restore the table from a backup.");
    return {values[0], values[1]};
}

Oid find_events(const std::string &name, Oid schema)
{
    Oid const events = pg::find_relation(schema, "events");
    if (events == pg::kNoOid || !pg::has_leading_columns(events, kEventColumns))
        refuse_format(name, "Its table events is missing or has other columns.",
                      "Restore the table from a backup.");
    return events;
}

// What the steps have made, as far as it is there, and nothing in its place.
std::vector<Oid> find_tables(const std::string &name, Oid schema)
{
    std::vector<Oid> found;
    for (const char *table : tables())
        if (Oid const relation = pg::find_relation(schema, table)) {
            if (!pg::is_table(relation))
                refuse_format(name,
                              std::string("Its table ") + table + " is not an ordinary table.",
                              "Put the table back, or restore it from a backup.");
            found.push_back(relation);
        }
    return found;
}

bool is_plain(Oid events, std::span<const Oid> indexes)
{
    std::vector<std::string_view> own_triggers;
    for (const Trigger &trigger : triggers())
        if (std::string_view(trigger.table) == "events")
            own_triggers.emplace_back(trigger.name);
    return pg::is_plain(events, {.columns = static_cast<int>(std::size(kEventColumns)),
                                 .indexes = indexes,
                                 .triggers = own_triggers});
}

StorePtr load(Oid schema, Oid registry)
{
    std::string const name = pg::schema_name(schema);
    std::vector<Oid> own_tables = find_tables(name, schema);
    auto const [format, unique_event_ids] = read_settings(name, registry);
    Oid const events = find_events(name, schema);
    Oid const primary_key = pg::find_unique_index(events, "events_pkey", {kStream, kRevision});
    Oid const event_id_key = pg::find_unique_index(events, "events_stream_id_key", {kStream, kId});
    Oid const sequence = pg::find_sequence(schema, "events_position");
    bool const arbitrated = primary_key && sequence && (event_id_key || !unique_event_ids);
    // The primary key first: where a row is refused at all, it is refused there.
    std::vector<Oid> indexes{primary_key};
    if (event_id_key)
        indexes.push_back(event_id_key);
    indexes.push_back(pg::find_unique_index(events, "events_position_key", {kPosition}));
    bool const plain = is_plain(events, indexes);
    return std::make_shared<Store>(Store{.name = name,
                                         .schema = schema,
                                         .events = events,
                                         .primary_key = primary_key,
                                         .event_id_key = event_id_key,
                                         .position_sequence = sequence,
                                         .indexes = std::move(indexes),
                                         .format = format,
                                         .unique_event_ids = unique_event_ids != 0,
                                         .plain = plain,
                                         .armed = arbitrated && all_armed(schema),
                                         .statements = {},
                                         .tables = {},
                                         .own_tables = std::move(own_tables),
                                         .governed = nullptr});
}

Oid find_registry(Oid schema)
{
    return schema == pg::kNoOid ? pg::kNoOid : pg::find_relation(schema, "arbiter_store");
}

// Nothing where the store is not known yet, has changed since, or bears another name now.
StorePtr find_cached(Oid schema, std::string_view name)
{
    auto const found = cache->find(schema);
    return found != cache->end() && !found->second.stale && found->second.store->name == name
               ? found->second.store
               : nullptr;
}

StorePtr load_into_cache(Oid schema)
{
    std::uint64_t const before = changes;
    StorePtr store = load(schema, find_registry(schema));
    (*cache)[schema] = {.store = store, .stale = changes != before};
    return store;
}

StorePtr open_schema(Oid schema)
{
    StorePtr store = find_cached(schema, pg::schema_name(schema));
    return store ? store : load_into_cache(schema);
}

// Anyone may make tables of these names; they are no reason to refuse what concerns the others.
StorePtr open_if_sound(Oid schema)
{
    try {
        return open_schema(schema);
    } catch (const Failure &failure) {
        if (failure.sqlstate() != sqlstate::kStoreFormat)
            throw;
        return nullptr;
    }
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
                      "A trigger or unique key that guards its tables is missing or disabled.",
                      hint_upgrade(store.name) + " If that does not help, ask arbiter.doctor(" +
                          quote_literal(store.name) + ").");
}

} // namespace

pg::Statement &Store::statement(const Query &query)
{
    auto found = statements.find(&query);
    if (found == statements.end())
        found =
            statements
                .try_emplace(&query, replace_all(query.sql, kPlaceholder, quote_identifier(name)),
                             std::span(query.types.data(), query.count), query.planning)
                .first;
    return found->second;
}

TableAt Store::table(const Table &description)
{
    if (auto found = tables.find(&description); found != tables.end())
        return found->second;
    TableAt place{.table = pg::find_relation(schema, description.name), .key = pg::kNoOid};
    if (place.table != pg::kNoOid && pg::has_leading_columns(place.table, description.columns))
        place.key = pg::find_unique_index(place.table, description.key, description.key_columns);
    if (place.key == pg::kNoOid)
        refuse_format(name,
                      std::string("Its table ") + description.name +
                          " is missing, has other columns, or lacks its key.",
                      format < current_format() ? hint_upgrade(name)
                                                : "Restore the table from a backup.");
    return tables[&description] = place;
}

StorePtr open_for_reading(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "store name must not be empty");
    Oid const schema = pg::find_schema(name);
    StorePtr store = find_cached(schema, name);
    if (!store && (schema == pg::kNoOid || !pg::find_settled(schema, "arbiter_store")))
        throw Failure(sqlstate::kUndefinedObject,
                      "store \"" + std::string(name) + "\" does not exist", {},
                      "Create it with arbiter.create_store, or see the view arbiter.stores.");
    pg::require_usage(schema);
    if (!store)
        store = load_into_cache(schema);
    require_format(*store);
    return store;
}

StorePtr open_for_writing(std::string_view name)
{
    StorePtr store = open_for_reading(name);
    // Whoever is arming it has a lock, and what he did is not heard of before he lets it go.
    if (!store->armed) {
        pg::lock_table_for_writing(store->events);
        store = open_for_reading(name);
    }
    require_writable(*store);
    return store;
}

bool is_current(const Store &store)
{
    auto const found = cache->find(store.schema);
    return found != cache->end() && !found->second.stale && found->second.store.get() == &store;
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

StorePtr find(Oid schema)
{
    StorePtr store = find_registry(schema) == pg::kNoOid ? nullptr : open_if_sound(schema);
    return store && store->format <= current_format() ? store : nullptr;
}

bool has_inline_projections(Oid schema)
{
    constexpr int kKind = 2;
    Oid const table = pg::find_relation(schema, "projections");
    if (table == pg::kNoOid || !pg::has_leading_columns(table, kProjectionColumns) ||
        pg::find_unique_index(table, "projections_pkey", {1}) == pg::kNoOid)
        return false;
    for (pg::TableScan row(table); row.next();)
        if (pg::text_view(row.datum(kKind)) == "inline")
            return true;
    return false;
}

State state(Oid schema)
{
    StorePtr const store = open_if_sound(schema);
    return store ? State{store->format, store->armed} : State{};
}

void initialize()
{
    cache = new Cache;
    pg::on_relation_change(mark_stale);
}

} // namespace arbiter::store
