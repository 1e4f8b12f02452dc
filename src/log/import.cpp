#include "log/import.hpp"

#include <array>
#include <string>
#include <utility>

#include "base/failure.hpp"
#include "log/head.hpp"
#include "log/history.hpp"
#include "log/path.hpp"
#include "log/stream_name.hpp"
#include "pg/catalog.hpp"
#include "pg/cursor.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/json.hpp"
#include "pg/lock_manager.hpp"
#include "pg/memory.hpp"
#include "pg/passage.hpp"
#include "pg/plain_table.hpp"
#include "pg/text.hpp"
#include "pg/transaction.hpp"
#include "shared/progress.hpp"

namespace arbiter::log {

namespace {

// At a time: as many as go into the table at a time.
constexpr std::size_t kBatch = 256;
// Of which the last revision is kept in memory: some megabytes with names as they usually are.
constexpr std::size_t kMaxStreams = 50'000;

constexpr int kColumns = store::kRecordedAt;
constexpr std::array<const char *, kColumns> kNames{
    "position", "stream", "revision", "id", "type", "data", "metadata", "recorded_at"};

// Cast, so that a staging table may be made of text, as a COPY from elsewhere leaves it.
std::string select_from(std::string_view relation)
{
    return "SELECT s.\"position\"::pg_catalog.int8, s.stream::pg_catalog.text, "
           "s.revision::pg_catalog.int8, s.id::pg_catalog.uuid, s.type::pg_catalog.text, "
           "s.data::pg_catalog.jsonb, s.metadata::pg_catalog.jsonb, "
           "s.recorded_at::pg_catalog.timestamptz FROM " +
           std::string(relation) + " AS s ORDER BY 1";
}

constexpr store::Query kRelation{
    "SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_class AS c "
    "JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace "
    "WHERE c.oid OPERATOR(pg_catalog.=) $1::pg_catalog.regclass",
    pg::Type::text};

constexpr store::Query kInsert{
    "INSERT INTO {store}.events (\"position\", stream, revision, id, type, data, metadata, "
    "recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::uuid,
    pg::Type::text,
    pg::Type::jsonb,
    pg::Type::jsonb,
    pg::Type::timestamptz};

constexpr store::Query kHandedOut{"SELECT CASE WHEN q.is_called THEN q.last_value ELSE 0 END "
                                  "FROM {store}.events_position AS q"};

// Never back: what stands in the source may itself have appended.
constexpr store::Query kSetSequence{
    "SELECT pg_catalog.setval($1::pg_catalog.oid::pg_catalog.regclass, $2) "
    "FROM {store}.events_position AS q WHERE q.last_value OPERATOR(pg_catalog.<) $2 "
    "OR NOT q.is_called",
    pg::Type::bigint, pg::Type::bigint};

class Import {
public:
    explicit Import(store::StorePtr store)
        : store_(std::move(store)), path_(choose_path(*store_)),
          history_(handed_out(*store_), kMaxStreams)
    {
    }

    std::int64_t run(std::string_view source)
    {
        pg::Spi spi;
        std::string const relation(
            spi.run(store_->statement(kRelation), {source}, pg::Sees::fresh).text(0, 0));
        pg::Cursor events(spi, select_from(relation), kColumns);
        shared::Progress progress(shared::LongCall::import_events, store_->schema, relation);
        std::int64_t count = 0;
        while (events.fetch(kBatch)) {
            pg::Memory memory;
            see_changes();
            for (std::size_t row = 0; row < events.rows(); ++row)
                judge(events, row);
            write(events);
            history_.forget_some();
            count += static_cast<std::int64_t>(events.rows());
            progress.set(count);
        }
        history_.finish();
        if (count > 0)
            spi.run(
                store_->statement(kSetSequence),
                {static_cast<std::int64_t>(store_->position_sequence), history_.last_position()},
                pg::Sees::fresh);
        return count;
    }

private:
    static std::int64_t handed_out(store::Store &store)
    {
        pg::Spi spi;
        return spi.run(store.statement(kHandedOut), {}, pg::Sees::fresh).bigint(0, 0);
    }

    // A function that the source calls may have changed the table.
    void see_changes()
    {
        if (store::is_current(*store_))
            return;
        store_ = store::open_for_writing(store_->name);
        path_ = choose_path(*store_);
    }

    void judge(const pg::Cursor &events, std::size_t row)
    {
        refuse_nulls(events, row);
        auto const values = events.row(row);
        auto const at = [&values](store::Column column) {
            return values[static_cast<std::size_t>(column - 1)];
        };
        Place const place{.position = static_cast<std::int64_t>(at(store::kPosition)),
                          .stream = pg::text_view(at(store::kStream)),
                          .revision = static_cast<std::int64_t>(at(store::kRevision)),
                          .type = pg::text_view(at(store::kType))};
        try {
            check_stream_name(place.stream);
            check_imported_type(place.type);
            if (!pg::json_is_object(at(store::kMetadata)))
                throw Failure(sqlstate::kInvalidParameterValue, "metadata must be a JSON object");
        } catch (const Failure &failure) {
            throw Failure(failure.sqlstate(),
                          "event at position " + std::to_string(place.position) + ": " +
                              failure.message(),
                          failure.detail(), failure.hint());
        }
        history_.add(place, predecessor(place.stream));
    }

    static void refuse_nulls(const pg::Cursor &events, std::size_t row)
    {
        for (std::size_t column = 0; column < kNames.size(); ++column)
            if (events.is_null(row, column))
                throw Failure(
                    sqlstate::kNotNullViolation,
                    std::string("null value in column \"") + kNames[column] +
                        "\" of an event to be imported",
                    events.is_null(row, 0)
                        ? "It has no position."
                        : "It has position " +
                              std::to_string(static_cast<std::int64_t>(events.row(row)[0])) + ".");
    }

    std::optional<Predecessor> predecessor(std::string_view stream) const
    {
        auto const known = history_.find(stream);
        return known || !history_.has_forgotten() ? known : find_predecessor(*store_, stream);
    }

    void write(const pg::Cursor &events)
    {
        switch (path_) {
        case Path::direct:
            pg::insert_plain(store_->events, store_->indexes, kColumns, events.values(),
                             pg::FirstRow::final);
            pg::increment_command_counter();
            return;
        case Path::portable:
            write_portably(events);
            return;
        }
    }

    // What the owner has added to the table has its say; the log's own trigger judges the row that
    // comes out.
    void write_portably(const pg::Cursor &events)
    {
        pg::Spi spi;
        for (std::size_t row = 0; row < events.rows(); ++row) {
            std::vector<pg::Value> values;
            for (Datum value : events.row(row))
                values.push_back(pg::Value::of(value));
            pg::Passage const passage(store_->events, pg::Command::insert);
            if (spi.run(store_->statement(kInsert), values, pg::Sees::fresh).count() != 1)
                throw Failure(sqlstate::kNotInPrerequisiteState,
                              "the event at position " +
                                  std::to_string(static_cast<std::int64_t>(events.row(row)[0])) +
                                  " was not stored",
                              "A trigger or rule on the events table discarded it.");
        }
    }

    store::StorePtr store_;
    Path path_;
    History history_;
};

void require_empty(const store::Store &store)
{
    if (pg::dirty_lookup(store.events, store.primary_key, {}, pg::Pick::first,
                         [](const pg::FoundRow &) {}))
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "store \"" + store.name + "\" holds events",
                      "What is imported brings its positions along, so it can only come first.",
                      "Import into a store that has just been created.");
}

} // namespace

store::StorePtr open_for_import(std::string_view name)
{
    for (;;) {
        store::StorePtr store = store::open_for_writing(name);
        pg::require_owner(store->events);
        pg::require_privileges(store->events, pg::Privileges::select_and_insert);
        pg::lock_table_against_writers(store->events);
        if (!store::is_current(*store))
            continue;
        require_empty(*store);
        // From here on readers of the feed take no missing position for dead: one that somebody
        // draws in vain meanwhile may be among those that are imported.
        pg::lock_table_for_writing(store->position_sequence);
        return store;
    }
}

std::int64_t import_events(store::StorePtr store, std::string_view source)
{
    return Import(std::move(store)).run(source);
}

} // namespace arbiter::log
