#include "log/lifecycle.hpp"

#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "log/append.hpp"
#include "log/governor.hpp"
#include "log/head.hpp"
#include "log/judge.hpp"
#include "log/redaction.hpp"
#include "log/stream_name.hpp"
#include "pg/catalog.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/json.hpp"
#include "pg/passage.hpp"
#include "pg/spi.hpp"
#include "pg/transaction.hpp"

namespace arbiter::log {

namespace {

constexpr store::Query kDelete{
    "DELETE FROM {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "
    "AND e.revision OPERATOR(pg_catalog.<) $2",
    pg::Type::text, pg::Type::bigint};
constexpr store::Query kErase{
    "UPDATE {store}.events AS e SET data = '{}', metadata = $3 "
    "WHERE e.stream OPERATOR(pg_catalog.=) $1 AND e.revision OPERATOR(pg_catalog.=) $2 "
    "RETURNING e.data OPERATOR(pg_catalog.=) '{}' AND e.metadata OPERATOR(pg_catalog.=) $3",
    pg::Type::text, pg::Type::bigint, pg::Type::jsonb};
// The event that tells of a truncation, or of the redaction of a revision.
constexpr store::Query kTruncated{
    "SELECT e.revision FROM {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "
    "AND e.type OPERATOR(pg_catalog.=) '$truncated' AND (e.data OPERATOR(pg_catalog.->) 'before') "
    "OPERATOR(pg_catalog.>=) pg_catalog.to_jsonb($2) ORDER BY e.revision LIMIT 1",
    pg::Type::text, pg::Type::bigint};
constexpr store::Query kRedacted{
    "SELECT e.revision FROM {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "
    "AND e.type OPERATOR(pg_catalog.=) '$redacted' AND (e.data OPERATOR(pg_catalog.->) 'revision') "
    "OPERATOR(pg_catalog.=) pg_catalog.to_jsonb($2) ORDER BY e.revision LIMIT 1",
    pg::Type::text, pg::Type::bigint};

void check(std::string_view stream, std::string_view reason)
{
    check_stream_name(stream);
    if (reason.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "reason must not be empty");
}

// Whether everything is erased cannot depend on what a policy shows.
void require_rights(const store::Store &store, pg::Privileges privileges)
{
    pg::require_privileges(store.events, privileges);
    if (pg::has_row_security(store.events))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "row security on events would hide what is to be erased", {},
                      "Call as the owner of the table, or as a role with BYPASSRLS.");
}

Datum account(std::string_view reason, std::vector<pg::JsonMember> members)
{
    members.push_back({"reason", pg::json_string(reason)});
    members.push_back({"session_user", pg::json_string(pg::session_user())});
    members.push_back({"current_user", pg::json_string(pg::current_user())});
    return pg::json_object(members);
}

std::optional<std::int64_t> first_cell(store::Store &store, const store::Query &query,
                                       std::string_view stream, std::int64_t revision)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(query), {stream, revision}, pg::Sees::fresh);
    return rows.empty() ? std::nullopt : std::optional(rows.bigint(0, 0));
}

Datum closing_data(const store::Store &store, std::string_view stream)
{
    Datum data = 0;
    pg::IndexKey const key(stream);
    pg::dirty_lookup(store.events, store.primary_key, {&key, 1}, pg::Pick::last,
                     [&data](const pg::FoundRow &row) { data = row.detached(store::kData); });
    return data;
}

// Returns the revision of the event of that type.
std::int64_t tell(store::Store &store, std::string_view stream, const Head &head,
                  std::string_view type, Datum data)
{
    Datum const nothing = pg::empty_json_object();
    std::vector<NewEvent> events{{type, data, nothing, std::nullopt}};
    if (head.closed)
        events.push_back({kClosedType, closing_data(store, stream), nothing, std::nullopt});
    std::int64_t const last =
        append(store, {.stream = stream,
                       .expected = Expectation::from(Expectation::kStreamExists),
                       .events = events,
                       .own = true});
    return last - static_cast<std::int64_t>(events.size()) + 1;
}

void require_done(std::int64_t rows, std::int64_t wanted)
{
    if (rows == wanted)
        return;
    if (pg::keeps_its_snapshot())
        throw Failure(sqlstate::kSerializationFailure,
                      "could not serialize access due to a concurrent append", {},
                      "The transaction might succeed if retried.");
    throw Failure(sqlstate::kNotInPrerequisiteState, "not all events were erased",
                  std::to_string(rows) + " of " + std::to_string(wanted) + " were.",
                  "A trigger or rule on the events table kept the others.");
}

void refuse_outside(std::string_view stream, std::int64_t before, const Head &head)
{
    if (before >= 1 && before - 1 <= head.revision)
        return;
    throw Failure(sqlstate::kInvalidParameterValue,
                  "cannot truncate stream \"" + std::string(stream) + "\" before revision " +
                      std::to_string(before),
                  "Its last revision is " + std::to_string(head.revision) + ".",
                  "Give the first revision that is to stay, from 1 to " + describe_next(head) +
                      ".");
}

// The event that would tell of it would be the stream's first.
Head require_head(const store::Store &store, std::string_view stream)
{
    Head const head = find_head(store, stream);
    if (head.revision == kNoRevision)
        throw Failure(sqlstate::kUndefinedObject, "stream \"" + std::string(stream) +
                                                      "\" does not exist in store \"" + store.name +
                                                      "\"");
    return head;
}

// Whoever is told that a stream is closed relies on it.
void require_closed(const store::Store &store, std::string_view stream)
{
    if (!find_head(store, stream).closed)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "stream \"" + std::string(stream) + "\" was not closed",
                      "A trigger on the events table changed the event that closes it.");
}

// What is there to redact.
void require_redactable(const store::Store &store, std::string_view stream, std::int64_t revision)
{
    bool own = false;
    pg::IndexKey const keys[] = {stream, revision};
    bool const found = pg::dirty_lookup(
        store.events, store.primary_key, keys, pg::Pick::first, [&own](const pg::FoundRow &row) {
            own = row.text(store::kType).starts_with(kReservedPrefix);
        });
    std::string const event =
        "event " + std::to_string(revision) + " of stream \"" + std::string(stream) + "\"";
    if (!found)
        throw Failure(sqlstate::kUndefinedObject, event + " does not exist");
    if (own)
        throw Failure(sqlstate::kAppendOnly, event + " cannot be redacted",
                      "It tells what was done to the stream, by whom and why.",
                      "Only truncate_stream removes it.");
}

} // namespace

std::int64_t close_stream(store::Store &store, std::string_view stream, std::string_view reason)
{
    check(stream, reason);
    queue(store, stream);
    Head const head = require_head(store, stream);
    if (head.closed)
        return head.revision;
    std::int64_t const revision = tell(store, stream, head, kClosedType, account(reason, {}));
    require_closed(store, stream);
    return revision;
}

std::int64_t truncate_stream(store::Store &store, std::string_view stream, std::int64_t before,
                             std::string_view reason)
{
    check(stream, reason);
    require_rights(store, pg::Privileges::select_insert_and_delete);
    queue(store, stream);
    Head const head = require_head(store, stream);
    refuse_outside(stream, before, head);
    std::int64_t const first = find_first(store, stream);
    if (first >= before)
        if (auto const told = first_cell(store, kTruncated, stream, before))
            return *told;
    governor().judge_truncation(store, stream, head, before);
    std::int64_t const erased = first < before ? before - first : 0;
    std::int64_t const revision = tell(store, stream, head, kTruncatedType,
                                       account(reason, {{"before", pg::json_number(before)},
                                                        {"erased", pg::json_number(erased)}}));
    pg::Spi spi;
    pg::Passage const passage(store.events, pg::Command::remove);
    auto const rows = spi.run(store.statement(kDelete), {stream, before}, pg::Sees::fresh);
    require_done(static_cast<std::int64_t>(rows.count()), erased);
    return revision;
}

std::int64_t redact(store::Store &store, std::string_view stream, std::int64_t revision,
                    std::string_view reason)
{
    check(stream, reason);
    require_rights(store, pg::Privileges::select_insert_and_update);
    queue(store, stream);
    Head const head = find_head(store, stream);
    require_redactable(store, stream, revision);
    if (auto const told = first_cell(store, kRedacted, stream, revision))
        return *told;
    std::int64_t const told = tell(store, stream, head, kRedactedType,
                                   account(reason, {{"revision", pg::json_number(revision)}}));
    pg::Spi spi;
    pg::Passage const passage(store.events, pg::Command::update);
    auto const rows =
        spi.run(store.statement(kErase), {stream, revision, pg::Value::of(redacted_metadata(told))},
                pg::Sees::fresh);
    require_done(!rows.empty() && rows.boolean(0, 0) ? 1 : 0, 1);
    return told;
}

} // namespace arbiter::log
