// A store as a call sees it: found by its schema's name, known to be readable or writable.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pg/catalog.hpp"
#include "pg/spi.hpp"
#include "pg/types.hpp"

namespace arbiter::store {

// A statement of some module on a store's tables, {store} standing for the schema. Static and
// constant: its address is its name in the store's cache of plans.
struct Query {
    template <typename... Types>
    constexpr Query(const char *text, Types... parameters) noexcept
        : sql(text), types{parameters...}, count(sizeof...(parameters))
    {
    }
    constexpr Query planned_for_each_call() const noexcept
    {
        Query query = *this;
        query.planning = pg::Planning::for_each_call;
        return query;
    }
    const char *sql;
    std::array<pg::Type, 12> types;
    std::size_t count;
    pg::Planning planning = pg::Planning::kept;
};

// A table of some module in a store, as it must be to be read and written straight, with the key
// that arbitrates there. Static and constant, as a Query is.
struct Table {
    const char *name;
    std::span<const pg::Column> columns;
    const char *key;
    std::initializer_list<int> key_columns;
};
struct TableAt {
    Oid table;
    Oid key;
};

// What one backend knows of a store; thrown away when the definition of one of its tables changes.
// Calls hold a shared_ptr, so that a plan isn't freed under its own feet by a nested call.
struct Store {
    std::string name;
    Oid schema;
    Oid events;
    Oid primary_key;  // (stream, revision)
    Oid event_id_key; // (stream, id), or none
    Oid position_sequence;
    std::vector<Oid> indexes; // of events, all that the store made
    std::int64_t format;
    bool unique_event_ids;
    bool plain; // events is what format 1 made it, so rows may be written past the executor
    bool armed; // the triggers are there and enabled, and so are the keys that arbitrate

    // Planned on first use, kept as long as the store's definition is.
    pg::Statement &statement(const Query &query);
    std::unordered_map<const Query *, pg::Statement> statements;
    // RB050 unless it is there in the shape described; looked at once.
    TableAt table(const Table &description);
    std::unordered_map<const Table *, TableAt> tables;
    std::vector<Oid> own_tables;
    // What the log's governor has found out about this store; its own to fill and to read.
    std::shared_ptr<const void> governed;
};

using StorePtr = std::shared_ptr<Store>;

// The columns of events, from 1: the format's, in the format's order.
enum Column : int { kPosition = 1, kStream, kRevision, kId, kType, kData, kMetadata, kRecordedAt };

// Checks USAGE on the schema; privileges on tables are the caller's next question.
// 42704 where there is no store of that name, 22023 for an empty name, RB050 for a format this
// library does not know.
StorePtr open_for_reading(std::string_view name);
// Also RB050 where the format is old or the store is unarmed: a write past missing triggers would
// be one that nobody judges.
StorePtr open_for_writing(std::string_view name);
// Still what the catalog says, as far as this session has heard.
bool is_current(const Store &store);
// The same for a trigger, which knows its table only.
StorePtr open_by_events_table(Oid events);

// The store in a schema, for who looks at all of them: nothing where there is none, or none that
// this library can read. Asks for no privilege.
StorePtr find(Oid schema);

// The store of that name is there, whatever its format; for the calls that create, upgrade and
// drop.
bool exists(std::string_view name);

// A projection of the store is registered as inline, whether or not its trigger is there.
bool has_inline_projections(Oid schema);

// What the view arbiter.stores says of a schema that holds a store.
struct State {
    std::optional<std::int64_t> format; // nothing where the tables are not what their names say
    bool armed = false;
};
State state(Oid schema);

void initialize();

} // namespace arbiter::store
