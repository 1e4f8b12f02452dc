#include "log/write.hpp"

#include <optional>
#include <vector>

#include "base/failure.hpp"
#include "log/position.hpp"
#include "log/stream_name.hpp"
#include "pg/clock.hpp"
#include "pg/passage.hpp"
#include "pg/plain_table.hpp"
#include "pg/random.hpp"
#include "pg/spi.hpp"
#include "pg/transaction.hpp"

namespace arbiter::log {

namespace {

constexpr store::Query kInsertEvent{
    "INSERT INTO {store}.events (stream, revision, id, type, data, metadata) "
    "VALUES ($1, $2, $3, $4, $5, $6)",
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::uuid,
    pg::Type::text,
    pg::Type::jsonb,
    pg::Type::jsonb};

Uuid id_of(const NewEvent &event)
{
    return event.id ? *event.id : pg::random_uuid();
}

// The trigger draws the position and judges the row once more, as it does for every INSERT.
void write_portably(store::Store &store, std::string_view stream, const Head &head,
                    std::span<const NewEvent> events)
{
    pg::Spi spi;
    std::int64_t revision = head.revision;
    for (const NewEvent &event : events) {
        std::optional<pg::Passage> passage;
        if (event.type.starts_with(kReservedPrefix))
            passage.emplace(store.events, pg::Command::insert);
        pg::Rows const rows = spi.run(store.statement(kInsertEvent),
                                      {stream, ++revision, id_of(event), event.type,
                                       pg::Value::of(event.data), pg::Value::of(event.metadata)},
                                      pg::Sees::fresh);
        if (rows.count() != 1)
            throw Failure(sqlstate::kNotInPrerequisiteState, "the event was not stored",
                          "A trigger or rule on the events table discarded it.");
    }
}

bool write_directly(const store::Store &store, std::string_view stream, const Head &head,
                    std::span<const NewEvent> events, Defeat defeat)
{
    constexpr int kColumns = store::kRecordedAt;
    Datum const stream_datum = pg::Value(stream).datum();
    Datum const now = pg::clock_timestamp();
    std::int64_t revision = head.revision;
    std::vector<Datum> rows;
    rows.reserve(events.size() * kColumns);
    for (const NewEvent &event : events)
        rows.insert(rows.end(), {pg::Value(draw_position(store, head)).datum(), stream_datum,
                                 pg::Value(++revision).datum(), pg::Value(id_of(event)).datum(),
                                 pg::Value(event.type).datum(), event.data, event.metadata, now});
    bool const written = pg::insert_plain(store.events, store.indexes, kColumns, rows,
                                          defeat == Defeat::is_answer ? pg::FirstRow::on_approval
                                                                      : pg::FirstRow::final);
    pg::increment_command_counter();
    return written;
}

} // namespace

bool write(store::Store &store, Path path, std::string_view stream, const Head &head,
           std::span<const NewEvent> events, Defeat defeat)
{
    switch (path) {
    case Path::direct:
        return write_directly(store, stream, head, events, defeat);
    case Path::portable:
        write_portably(store, stream, head, events);
        return true;
    }
    return false;
}

} // namespace arbiter::log
