#include "projection/mend.hpp"

#include "base/failure.hpp"
#include "pg/acting_role.hpp"
#include "projection/batch.hpp"
#include "projection/debt.hpp"
#include "projection/guard.hpp"
#include "projection/held.hpp"
#include "projection/inline.hpp"
#include "projection/registry.hpp"
#include "projection/retry.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kIsDebt{
    "SELECT f.passed_at IS NOT NULL FROM {store}.failed_events AS f "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "
    "AND f.revision OPERATOR(pg_catalog.=) $3 AND (f.passed_at IS NOT NULL OR NOT EXISTS "
    "(SELECT FROM {store}.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) $1 "
    "AND o.entity OPERATOR(pg_catalog.=) $2 AND o.revision OPERATOR(pg_catalog.>=) $3)) "
    "FOR UPDATE OF f",
    pg::Type::text, pg::Type::text, pg::Type::bigint};
constexpr store::Query kKeepDecision{
    "INSERT INTO {store}.resolutions (projection, entity, revision, attempts, error, reason) "
    "SELECT f.projection, f.entity, f.revision, f.attempts, f.error, $4 "
    "FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.revision OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::text, pg::Type::bigint, pg::Type::text};
constexpr store::Query kForgetDebt{
    "DELETE FROM {store}.failed_events AS f WHERE f.projection OPERATOR(pg_catalog.=) $1 "
    "AND f.entity OPERATOR(pg_catalog.=) $2 AND f.revision OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::text, pg::Type::bigint};
constexpr store::Query kForgetFailedEvents{"DELETE FROM {store}.failed_events AS f "
                                           "WHERE f.projection OPERATOR(pg_catalog.=) $1",
                                           pg::Type::text};
constexpr store::Query kForgetOffsets{
    "DELETE FROM {store}.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};
constexpr store::Query kKeepWorkersOut{
    "LOCK TABLE {store}.taken_streams IN SHARE ROW EXCLUSIVE MODE"};
constexpr store::Query kForgetTaken{"DELETE FROM {store}.taken_streams AS t "
                                    "WHERE t.projection OPERATOR(pg_catalog.=) $1",
                                    pg::Type::text};
constexpr store::Query kForgetSetAside{"DELETE FROM {store}.streams_set_aside AS a "
                                       "WHERE a.projection OPERATOR(pg_catalog.=) $1",
                                       pg::Type::text};

// Those that have streams for their transaction end it first; tokens hold nothing afterwards.
void forget_workers(Turn &turn)
{
    std::string_view const name = turn.projection().name;
    turn.spi().run(turn.store().statement(kKeepWorkersOut), {}, pg::Sees::fresh);
    turn.spi().run(turn.store().statement(kForgetTaken), {name}, pg::Sees::fresh);
    turn.spi().run(turn.store().statement(kForgetSetAside), {name}, pg::Sees::fresh);
}

} // namespace

Ran retry_failures(store::Store &store, std::string_view name, std::int64_t max_count)
{
    check_max_count(max_count);
    Turn turn(store, name, Patience::none);
    if (turn.is_busy())
        return {.is_busy = true};
    turn.require_handler();
    Batch batch(store, turn.projection());
    auto const held = held_back(store, name);
    for (const Held &stream : held)
        batch.hold(stream.stream);
    std::int64_t left = max_count;
    for (const Held &stream : held)
        if (left > 0)
            left -= catch_up(turn, batch, stream, left);
    if (left > 0)
        for (const Debt &debt : debts(store, name, left))
            pay(turn, batch, debt);
    return {.is_busy = false, .applied = batch.applied(), .failed = batch.failed()};
}

bool resolve(store::Store &store, const Place &place, std::int64_t revision,
             std::string_view reason)
{
    check_name(place.projection);
    check_entity(place.entity);
    check_revision(revision);
    if (reason.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "reason must not be empty");
    open_offsets(store, place.projection);
    pg::Spi spi;
    pg::Rows const found = spi.run(store.statement(kIsDebt),
                                   {place.projection, place.entity, revision}, pg::Sees::fresh);
    if (found.empty())
        return false;
    spi.run(store.statement(kKeepDecision), {place.projection, place.entity, revision, reason},
            pg::Sees::fresh);
    if (found.boolean(0, 0))
        spi.run(store.statement(kForgetDebt), {place.projection, place.entity, revision},
                pg::Sees::fresh);
    else if (start_at(store, place, revision + 1))
        keep_due(store, place, kWaitsForTheRest); // whoever runs it lets the stream go
    return true;
}

namespace {

void forget(store::Store &store, std::string_view name)
{
    pg::Spi spi;
    spi.run(store.statement(kForgetFailedEvents), {name}, pg::Sees::fresh);
    spi.run(store.statement(kForgetOffsets), {name}, pg::Sees::fresh);
}

void rebuild_inline(store::Store &store, std::string_view name)
{
    pg::ActingAs const acting(handler_owner(store, name));
    lock_out_writers(store);
    open_offsets(store, name); // nobody drops it now
    {
        OffsetsMayChange permit;
        forget(store, name);
    }
    catch_up(store, name, shared::LongCall::rebuild_projection);
}

} // namespace

void rebuild(store::Store &store, std::string_view name)
{
    if (find(store, name).is_inline)
        return rebuild_inline(store, name);
    Turn turn(store, name, Patience::waits);
    OffsetsMayChange permit;
    if (turn.projection().handler.empty())
        forget_workers(turn);
    forget(store, name);
    turn.leave(0);
}

} // namespace arbiter::projection
