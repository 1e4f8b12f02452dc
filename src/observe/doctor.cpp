#include "observe/doctor.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "base/version.hpp"
#include "observe/derivations.hpp"
#include "observe/feed.hpp"
#include "observe/pools.hpp"
#include "observe/projections.hpp"
#include "observe/sweeps.hpp"
#include "pg/readable.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"
#include "store/format.hpp"
#include "store/store.hpp"

namespace arbiter::observe {

namespace {

// Neither is wrong with the other, but what is new in one is not to be had.
void examine_version(std::vector<Finding> &findings)
{
    pg::Spi spi;
    pg::Rows const row = spi.run("SELECT e.extversion FROM pg_catalog.pg_extension AS e "
                                 "WHERE e.extname OPERATOR(pg_catalog.=) 'arbiter'",
                                 pg::Sees::caller);
    if (row.empty() || row.text(0, 0) == ARBITER_VERSION)
        return;
    findings.push_back(
        {Severity::warning, "extension",
         "its objects are of version " + std::string(row.text(0, 0)) +
             ", this session's library is of version " ARBITER_VERSION,
         is_older(ARBITER_VERSION, row.text(0, 0))
             ? "Open a new session; where the library is preloaded, restart the server first."
             : "ALTER EXTENSION arbiter UPDATE"});
}

std::string call_upgrade(const store::Store &store)
{
    return "SELECT arbiter.upgrade_store(" + quote_literal(store.name) + ")";
}

void examine_format(const store::Store &store, std::vector<Finding> &findings)
{
    if (store.format < store::current_format())
        findings.push_back({Severity::error, "store",
                            "format " + std::to_string(store.format) +
                                " is older than the library's " +
                                std::to_string(store::current_format()) + ": writes are refused",
                            call_upgrade(store)});
    else if (!store.armed && store.primary_key)
        findings.push_back({Severity::error, "store",
                            "a trigger that guards its tables is missing or disabled: writes are "
                            "refused, raw writers are not judged",
                            call_upgrade(store)});
}

constexpr store::Query kSequence{
    "SELECT s.seqcache, s.seqincrement, s.seqcycle, "
    "(SELECT CASE WHEN q.is_called THEN q.last_value ELSE (q.last_value OPERATOR(pg_catalog.-) 1) "
    "END FROM {store}.events_position AS q), "
    "(SELECT pg_catalog.max(e.\"position\") FROM ONLY {store}.events AS e) "
    "FROM pg_catalog.pg_sequence AS s WHERE s.seqrelid OPERATOR(pg_catalog.=) "
    "$1::pg_catalog.oid",
    pg::Type::bigint};

// Positions are handed out one by one, upwards, never again: everything that follows the log by its
// positions rests on that.
void examine_sequence(store::Store &store, std::vector<Finding> &findings)
{
    enum { kCache, kIncrement, kCycle, kLast, kMaxPosition };
    std::string const sequence = quote_identifier(store.name) + ".events_position";
    if (!store.position_sequence) {
        findings.push_back({Severity::error, "events_position", "the sequence is missing",
                            "Restore it from a backup, at or above the largest position."});
        return;
    }
    pg::Spi spi;
    pg::Rows const row =
        spi.run(store.statement(kSequence), {static_cast<std::int64_t>(store.position_sequence)},
                pg::Sees::caller);
    if (row.bigint(0, kCache) != 1 || row.bigint(0, kIncrement) < 1 || row.boolean(0, kCycle))
        findings.push_back({Severity::error, "events_position",
                            "the sequence must have CACHE 1, a positive increment and no cycle",
                            "ALTER SEQUENCE " + sequence + " CACHE 1 INCREMENT 1 NO CYCLE"});
    if (!row.is_null(0, kMaxPosition) && row.bigint(0, kLast) < row.bigint(0, kMaxPosition))
        findings.push_back({Severity::error, "events_position",
                            "the sequence stands at " + std::to_string(row.bigint(0, kLast)) +
                                ", behind the log's last position",
                            "SELECT pg_catalog.setval(" + quote_literal(pg::readable(sequence)) +
                                ", " + std::to_string(row.bigint(0, kMaxPosition)) + ")"});
}

void examine_keys(const store::Store &store, std::vector<Finding> &findings)
{
    std::string const alter =
        "ALTER TABLE " + quote_identifier(store.name) + ".events ADD CONSTRAINT ";
    if (!store.primary_key)
        findings.push_back({Severity::error, "events",
                            "the primary key is missing: nothing arbitrates appends",
                            alter + "events_pkey PRIMARY KEY (stream, revision)"});
    if (store.unique_event_ids && !store.event_id_key)
        findings.push_back({Severity::error, "events",
                            "the unique key on event ids is missing: retries are not recognised",
                            alter + "events_stream_id_key UNIQUE (stream, id)"});
}

} // namespace

std::vector<Finding> examine(std::string_view name)
{
    store::StorePtr const store = store::open_for_reading(name);
    store::AsOwner const owner(*store);
    std::vector<Finding> findings;
    examine_format(*store, findings);
    examine_keys(*store, findings);
    examine_sequence(*store, findings);
    if (findings.empty()) // else there is no feed to ask
        examine_feed(*store, findings);
    examine_derivations(*store, findings);
    examine_pools(*store, findings);
    examine_sweeps(*store, findings);
    examine_projections(*store, findings);
    examine_version(findings);
    for (Finding &finding : findings)
        finding.remedy = pg::readable(finding.remedy);
    return findings;
}

} // namespace arbiter::observe
