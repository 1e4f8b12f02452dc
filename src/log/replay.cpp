#include "log/replay.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "log/redaction.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/json.hpp"
#include "pg/text.hpp"

namespace arbiter::log {

namespace {

struct Comparison {
    bool found = false;
    bool same_content = false;
    std::int64_t revision = kNoRevision;
};

// Type and data are the fact; metadata describes the attempt (a trace id, a time) and may differ.
Comparison compare(const store::Store &store, std::string_view stream, const NewEvent &event)
{
    Comparison stored;
    pg::IndexKey const keys[] = {stream, *event.id};
    stored.found = pg::dirty_lookup(
        store.events, store.event_id_key, keys, pg::Pick::first, [&](const pg::FoundRow &row) {
            stored.revision = row.bigint(store::kRevision);
            // What was redacted cannot be compared; to store it again would undo the redaction.
            stored.same_content = row.text(store::kType) == event.type &&
                                  (pg::json_equal(row.datum(store::kData), event.data) ||
                                   is_redacted(row.datum(store::kMetadata)));
        });
    return stored;
}

[[noreturn]] void refuse(const Uuid &id, std::string_view stream, std::string detail)
{
    throw Failure(sqlstate::kEventIdReused,
                  "event id " + to_string(id) + " is already used in stream \"" +
                      std::string(stream) + "\"",
                  std::move(detail),
                  "A retry sends the same events with the same ids and the same expected revision; "
                  "anything new needs new ids.");
}

void refuse_repeated_ids(std::string_view stream, std::span<const NewEvent> events)
{
    std::vector<Uuid> ids;
    for (const NewEvent &event : events)
        if (event.id)
            ids.push_back(*event.id);
    std::ranges::sort(ids);
    if (auto const twice = std::ranges::adjacent_find(ids); twice != ids.end())
        refuse(*twice, stream, "The same id stands twice in this call.");
}

} // namespace

std::optional<Stored> find_event(const store::Store &store, std::string_view stream, const Uuid &id)
{
    std::int64_t revision = kNoRevision;
    Datum type = 0;
    pg::IndexKey const keys[] = {stream, id};
    bool const found = pg::dirty_lookup(store.events, store.event_id_key, keys, pg::Pick::first,
                                        [&](const pg::FoundRow &row) {
                                            revision = row.bigint(store::kRevision);
                                            type = row.detached(store::kType);
                                        });
    return found ? std::optional(Stored{revision, pg::text_view(type)}) : std::nullopt;
}

void refuse_command_id(const store::Store &store, const char *call)
{
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "store \"" + store.name + "\" recognises no command",
                  "A command is known by the ids of its events, and this store was made with "
                  "unique_event_ids => false.",
                  std::string("Call ") + call + " without command_id.");
}

std::optional<std::int64_t> find_replay(const store::Store &store, std::string_view stream,
                                        Expectation expected, std::span<const NewEvent> events)
{
    refuse_repeated_ids(stream, events);
    std::optional<std::int64_t> first;
    const Uuid *known_id = nullptr;
    std::size_t known = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!events[i].id)
            continue;
        Comparison const stored = compare(store, stream, events[i]);
        if (!stored.found)
            continue;
        std::int64_t const first_then = stored.revision - static_cast<std::int64_t>(i);
        std::string const at = "It is at revision " + std::to_string(stored.revision);
        if (!stored.same_content)
            refuse(*events[i].id, stream, at + " with another type or other data.");
        if (!expected.could_have_written(first_then) || (first && *first != first_then))
            refuse(*events[i].id, stream, at + ", where this call would not have put it.");
        first = first_then;
        known_id = &*events[i].id;
        ++known;
    }
    if (known == 0)
        return std::nullopt;
    if (known < events.size())
        refuse(*known_id, stream,
               "Of the " + std::to_string(events.size()) + " events of this call " +
                   std::to_string(known) + " are stored already, the others are not.");
    return *first + static_cast<std::int64_t>(events.size()) - 1;
}

} // namespace arbiter::log
