#include "log/append.hpp"

#include <string>

#include "base/failure.hpp"
#include "lock/entity_lock.hpp"
#include "log/head.hpp"
#include "log/replay.hpp"
#include "log/stream_name.hpp"
#include "pg/json.hpp"
#include "pg/random.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pg/transaction.hpp"
#include "shared/counters.hpp"

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

void check(std::string_view stream, std::span<const NewEvent> events)
{
    check_stream_name(stream);
    for (const NewEvent &event : events) {
        check_event_type(event.type);
        if (!pg::json_is_object(event.metadata))
            throw Failure(sqlstate::kInvalidParameterValue, "metadata must be a JSON object");
    }
}

// Writers that name no revision can't lose, so they would only wake each other up in vain: let them
// queue. Whoever has written to the stream already holds every other writer back by that, and would
// invite a deadlock by queueing behind one.
void queue_for(const store::Store &store, std::string_view stream)
{
    if (!lock::try_lock(stream) && !find_head(store, stream).written_by_me)
        lock::lock(stream);
}

// The serial order would have to put this append both after the one it follows and, if anything was
// read before, in front of it. SSI can't see that: the head isn't read through a snapshot.
void refuse_unserializable(Expectation expected, const Head &head)
{
    if (pg::is_serializable() && !expected.names_revision() && head.newer_than_snapshot)
        throw Failure(sqlstate::kSerializationFailure,
                      "could not serialize access due to a concurrent append", {},
                      "The transaction might succeed if retried.");
}

void insert(store::Store &store, std::string_view stream, std::int64_t first_revision,
            std::span<const NewEvent> events)
{
    pg::Spi spi;
    std::int64_t revision = first_revision;
    for (const NewEvent &event : events) {
        pg::Rows const rows =
            spi.run(store.statement(kInsertEvent),
                    {stream, revision++, event.id ? *event.id : pg::random_uuid(), event.type,
                     pg::Value::of(event.data), pg::Value::of(event.metadata)},
                    pg::Sees::fresh);
        if (rows.count() != 1)
            throw Failure(sqlstate::kNotInPrerequisiteState, "the event was not stored",
                          "A trigger or rule on the events table discarded it.");
    }
}

// Nothing if stored; otherwise what the unique indexes said: another writer slipped in between the
// look at the head and the insert. In a subtransaction, since the refused row is already in the
// heap by then.
std::optional<pg::Error> insert_unless_beaten(store::Store &store, std::string_view stream,
                                              std::int64_t first_revision,
                                              std::span<const NewEvent> events)
{
    std::optional<pg::Error> error =
        pg::attempt([&] { insert(store, stream, first_revision, events); });
    if (!error)
        return std::nullopt;
    bool const beaten =
        error->is(sqlstate::kUniqueViolation) &&
        (error->constraint() == "events_pkey" || error->constraint() == "events_stream_id_key");
    if (!beaten)
        throw *error;
    shared::count(shared::Noun::append, shared::Outcome::waited);
    return error;
}

std::optional<Appended> answer_without_writing(store::Store &store, std::string_view stream,
                                               Expectation expected,
                                               std::span<const NewEvent> events, Head &head)
{
    // In this order: the head's writer is waited for, so that if it was this very append, made by
    // another session, the ids tell. The other way round it could arrive between the two looks.
    head = find_head(store, stream);
    if (store.event_id_key)
        if (auto const revision = find_replay(store, stream, expected, events))
            return Appended{Outcome::replayed, *revision, *revision};
    if (head.closed)
        return Appended{Outcome::closed, kNoRevision, head.revision};
    if (!expected.accepts(head.revision))
        return Appended{Outcome::conflict, kNoRevision, head.revision};
    refuse_unserializable(expected, head);
    return std::nullopt;
}

void count(Outcome outcome) noexcept
{
    switch (outcome) {
    case Outcome::appended:
        return shared::count(shared::Noun::append, shared::Outcome::done);
    case Outcome::replayed:
        return shared::count(shared::Noun::append, shared::Outcome::replayed);
    case Outcome::conflict:
    case Outcome::closed:
        return shared::count(shared::Noun::append, shared::Outcome::conflict);
    }
}

} // namespace

Appended try_append(store::Store &store, std::string_view stream, Expectation expected,
                    std::span<const NewEvent> events)
{
    check(stream, events);
    if (!expected.names_revision())
        queue_for(store, stream);
    std::optional<pg::Error> beaten;
    for (std::int64_t beaten_at = kNoRevision;;) {
        Head head;
        if (auto const answer = answer_without_writing(store, stream, expected, events, head)) {
            count(answer->outcome);
            return *answer;
        }
        // Each turn of the loop means that somebody else got on, so it ends; a retry draws a new
        // position, so position order agrees with revision order inside a stream. Where nobody did,
        // a trigger's own insert has failed under the same name, here or in another store.
        if (beaten && head.revision == beaten_at)
            throw *beaten;
        beaten_at = head.revision;
        beaten = insert_unless_beaten(store, stream, head.revision + 1, events);
        if (!beaten) {
            count(Outcome::appended);
            std::int64_t const last = head.revision + static_cast<std::int64_t>(events.size());
            return {Outcome::appended, last, last};
        }
    }
}

std::int64_t append(store::Store &store, std::string_view stream, Expectation expected,
                    std::span<const NewEvent> events)
{
    Appended const result = try_append(store, stream, expected, events);
    switch (result.outcome) {
    case Outcome::appended:
    case Outcome::replayed:
        return result.revision;
    case Outcome::conflict:
        // Frozen: drivers show this string only, so programs parse it. The name comes last, since
        // it may hold anything.
        throw Failure(sqlstate::kWrongExpectedRevision,
                      "wrong expected revision for stream \"" + std::string(stream) + "\"",
                      "Expected revision " + std::to_string(expected.value()) +
                          ", actual revision " + std::to_string(result.current) + ", stream \"" +
                          std::string(stream) + "\".",
                      "Read the stream again and decide again.");
    case Outcome::closed:
        refuse_closed(stream, result.current);
    }
    throw Failure(sqlstate::kInternalError, "unknown outcome of an append");
}

} // namespace arbiter::log
