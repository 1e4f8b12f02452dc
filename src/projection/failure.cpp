#include "projection/failure.hpp"

#include <string>

#include "base/backoff.hpp"
#include "base/failure.hpp"
#include "pg/random.hpp"
#include "projection/held.hpp"
#include "projection/take.hpp"

namespace arbiter::projection {

namespace {

// Of an entity one event is open at a time; what stood in its way earlier has been applied since.
constexpr store::Query kForgetApplied{
    "DELETE FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.revision OPERATOR(pg_catalog.<=) $3 "
    "AND f.passed_at IS NULL",
    pg::Type::text, pg::Type::text, pg::Type::bigint};

#define COUNT_ATTEMPT(passed_at)                                                                   \
    "INSERT INTO {store}.failed_events AS f "                                                      \
    "(projection, entity, revision, attempts, error, event, passed_at) "                           \
    "VALUES ($1, $2, $3, 1, $4, $5, " passed_at ") "                                               \
    "ON CONFLICT (projection, entity, revision) DO UPDATE SET "                                    \
    "attempts = f.attempts OPERATOR(pg_catalog.+) 1, error = EXCLUDED.error, "                     \
    "event = COALESCE(EXCLUDED.event, f.event), last_failed_at = EXCLUDED.last_failed_at, "        \
    "next_attempt_at = NULL, passed_at = EXCLUDED.passed_at RETURNING f.attempts"

constexpr store::Query kCountAttempt{COUNT_ATTEMPT("NULL"), pg::Type::text, pg::Type::text,
                                     pg::Type::bigint,      pg::Type::text, pg::Type::jsonb};
constexpr store::Query kRecordDebt{COUNT_ATTEMPT("pg_catalog.clock_timestamp()"),
                                   pg::Type::text,
                                   pg::Type::text,
                                   pg::Type::bigint,
                                   pg::Type::text,
                                   pg::Type::jsonb};

#undef COUNT_ATTEMPT

constexpr store::Query kPutOff{
    "UPDATE {store}.failed_events AS f SET next_attempt_at = f.last_failed_at "
    "OPERATOR(pg_catalog.+) ($4 OPERATOR(pg_catalog.*) '1 microsecond'::pg_catalog.interval) "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "
    "AND f.revision OPERATOR(pg_catalog.=) $3 RETURNING f.next_attempt_at",
    pg::Type::text, pg::Type::text, pg::Type::bigint, pg::Type::bigint};

void check(const Place &place, const FailedEvent &event)
{
    check_entity(place.entity);
    check_revision(event.revision);
    if (event.error.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "error must not be empty", {},
                      "Say what failed: it is what whoever mends it will read.");
}

std::int64_t count_attempt(pg::Spi &spi, store::Store &store, const store::Query &query,
                           const Place &place, const FailedEvent &event)
{
    return spi
        .run(store.statement(query),
             {place.projection, place.entity, event.revision, event.error, event.event},
             pg::Sees::fresh)
        .bigint(0, 0);
}

} // namespace

Attempt record_attempt(store::Store &store, const Place &place, std::int64_t applied,
                       const FailedEvent &event)
{
    pg::Spi spi;
    spi.run(store.statement(kForgetApplied), {place.projection, place.entity, applied},
            pg::Sees::fresh);
    std::int64_t const attempts = count_attempt(spi, store, kCountAttempt, place, event);
    auto const pause = backoff(attempts, pg::random_fraction());
    pg::Rows const next =
        spi.run(store.statement(kPutOff),
                {place.projection, place.entity, event.revision, std::int64_t{pause.count()}},
                pg::Sees::fresh);
    return {attempts, next.datum(0, 0)};
}

namespace {

void check_token(const Projection &projection, const Place &place,
                 std::optional<std::int64_t> token)
{
    if (projection.has_tokens == token.has_value())
        return;
    throw Failure(sqlstate::kInvalidParameterValue,
                  "projection \"" + std::string(place.projection) +
                      (token ? "\" has no tokens" : "\" needs the token of the stream"),
                  token ? "Only the workers of an async projection without a handler have them."
                        : "Only the worker that holds a stream can say that an event of it failed.",
                  token ? "" : "Pass the one that arbiter.next_events gave.");
}

} // namespace

std::optional<Datum> fail(store::Store &store, const Place &place, const FailedEvent &event,
                          std::optional<std::int64_t> token)
{
    check(place, event);
    Projection const projection = open_offsets(store, place.projection);
    check_token(projection, place, token);
    Standing const standing =
        token ? give_back(store, place, *token, event.revision) : Standing{Standing::held};
    refuse_if_beyond(place, event.revision, standing);
    std::int64_t applied = kNothingApplied;
    Decision const decision = look(store, projection, place, event.revision, applied);
    if (standing.is == Standing::lost ||
        (standing.is == Standing::given_back && decision != Decision::already))
        refuse_lost(place, *token, standing);
    if (decision == Decision::already)
        return std::nullopt;
    if (decision == Decision::gap)
        refuse_gap(place, applied, event.revision);
    Attempt const attempt = record_attempt(store, place, applied, event);
    if (!projection.has_tokens || attempt.attempts < projection.max_attempts)
        return attempt.next_at;
    advance(store, place, event.revision);
    owe(store, place, event.revision);
    return std::nullopt;
}

bool done(store::Store &store, const Place &place, std::int64_t revision, std::int64_t token)
{
    check_entity(place.entity);
    check_revision(revision);
    Projection const projection = open_offsets(store, place.projection);
    check_token(projection, place, token);
    Standing const standing = go_on(store, place, token, revision);
    refuse_if_beyond(place, revision, standing);
    std::int64_t applied = kNothingApplied;
    if (standing.is == Standing::lost ||
        (standing.is == Standing::given_back &&
         look(store, projection, place, revision, applied) != Decision::already))
        refuse_lost(place, token, standing);
    return advance(store, place, revision);
}

bool pass(store::Store &store, const Place &place, const FailedEvent &event)
{
    check(place, event);
    Projection const projection = open_offsets(store, place.projection);
    // What is held back behind the event would be forgotten with it.
    if (!projection.external)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "the events of projection \"" + std::string(place.projection) +
                          "\" are passed by who applies them",
                      {}, "To send its entity on, call arbiter.resolve_failure.");
    if (!projection.reconciled)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "projection \"" + std::string(place.projection) +
                          "\" may not pass a failed event",
                      "It has no reconciler, so nobody would ever make up for the effect.",
                      "Put it off with arbiter.fail_event and try again; the entity waits.");
    if (!advance(store, place, event.revision))
        return false;
    pg::Spi spi;
    spi.run(store.statement(kForgetApplied), {place.projection, place.entity, event.revision - 1},
            pg::Sees::fresh);
    count_attempt(spi, store, kRecordDebt, place, event);
    return true;
}

} // namespace arbiter::projection
