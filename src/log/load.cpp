#include "log/load.hpp"

#include <string>

#include "base/failure.hpp"
#include "lock/entity_lock.hpp"
#include "log/expectation.hpp"
#include "log/stream_name.hpp"
#include "pg/result_set.hpp"

namespace arbiter::log {

namespace {

static_assert(kNoRevision == -1, "as kLoad has it");

constexpr store::Query kLoad{
    "SELECT e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at, "
    "h.head FROM (SELECT COALESCE((SELECT l.revision FROM ONLY {store}.events AS l "
    "WHERE l.stream OPERATOR(pg_catalog.=) $1 ORDER BY l.revision DESC LIMIT 1), -1) AS head) AS h "
    "LEFT JOIN ONLY {store}.events AS e ON e.stream OPERATOR(pg_catalog.=) $1 "
    "AND e.revision OPERATOR(pg_catalog.>=) $2 ORDER BY e.revision",
    pg::Type::text, pg::Type::bigint};

} // namespace

void load_stream(store::Store &store, std::string_view stream, const LoadOptions &options,
                 pg::ResultSet &events)
{
    check_stream_name(stream);
    if (options.from_revision < 0)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "argument \"from_revision\" must not be negative",
                      "It is " + std::to_string(options.from_revision) + ".");
    if (options.lock_within)
        lock::tell_if_blind(lock::lock(stream, *options.lock_within));
    events.add_query(store.statement(kLoad), {stream, options.from_revision}, pg::Sees::fresh);
}

} // namespace arbiter::log
