#include "projection/wait.hpp"

#include <algorithm>

#include "feed/wait.hpp"
#include "pg/signal.hpp"
#include "pg/snapshot.hpp"
#include "pg/spi.hpp"
#include "pg/transaction.hpp"
#include "projection/registry.hpp"
#include "projection/tables.hpp"
#include "shared/wakeup.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

namespace {

using namespace std::chrono_literals;

// A runner wakes nobody; an append does, and a runner may follow at once.
constexpr Duration kShortest = 1ms;
constexpr Duration kLongest = 20ms;

// Of what is not shown there is no offset: there the cursor tells, unless the stream is held back.
// An inline projection has none: what is in the log it has come past.
constexpr store::Query kIsThere{
    "SELECT COALESCE(o.revision OPERATOR(pg_catalog.>=) $3, false) "
    "OR p.kind OPERATOR(pg_catalog.=) 'inline' AND e.position IS NOT NULL "
    "OR COALESCE(c.position OPERATOR(pg_catalog.>=) e.position, false) "
    "AND NOT EXISTS (SELECT FROM {store}.failed_events AS f "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) $2 "
    "AND f.passed_at IS NULL) "
    "AND NOT EXISTS (SELECT FROM {store}.streams_set_aside AS a "
    "WHERE a.projection OPERATOR(pg_catalog.=) $1 AND a.entity OPERATOR(pg_catalog.=) $2) "
    "FROM {store}.projections AS p "
    "LEFT JOIN {store}.projection_cursors AS c "
    "ON c.projection OPERATOR(pg_catalog.=) p.projection "
    "LEFT JOIN {store}.offsets AS o ON o.projection OPERATOR(pg_catalog.=) p.projection "
    "AND o.entity OPERATOR(pg_catalog.=) $2 "
    "LEFT JOIN {store}.events AS e ON e.stream OPERATOR(pg_catalog.=) $2 "
    "AND e.revision OPERATOR(pg_catalog.=) $3 "
    "WHERE p.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text, pg::Type::text, pg::Type::bigint};

bool is_there(std::string_view store_name, const Place &place, std::int64_t revision)
{
    pg::StatementSnapshot const now;
    auto const store = store::open_for_reading(store_name);
    store->table(kTaken); // of the last format that brought a table of these; else RB050
    pg::Spi spi;
    pg::Rows const rows = spi.run(store->statement(kIsThere),
                                  {place.projection, place.entity, revision}, pg::Sees::caller);
    if (rows.empty())
        refuse_unknown(*store, place.projection);
    return rows.boolean(0, 0);
}

} // namespace

bool wait_for(pg::Procedure &procedure, std::string_view store, const Place &place,
              std::int64_t revision, Duration timeout)
{
    check_name(place.projection);
    check_entity(place.entity);
    check_revision(revision);
    Deadline const deadline(timeout);
    pg::SignalWait wait(shared::wakeup_key(store::open_for_reading(store)->position_sequence),
                        pg::WaitEvent::projection);
    Duration nap = kShortest;
    for (;;) {
        if (is_there(store, place, revision))
            return true;
        if (deadline.passed() || !feed::may_wait(procedure, "wait_for_projection"))
            return false;
        procedure.without_snapshot([&] { wait.sleep(std::min(nap, deadline.remaining())); });
        nap = std::min(2 * nap, kLongest);
    }
}

} // namespace arbiter::projection
