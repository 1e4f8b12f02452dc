#include "claim/ledger.hpp"

#include <array>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "claim/guard.hpp"
#include "claim/tables.hpp"
#include "pg/catalog.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/lock_manager.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::claim {

namespace {

// Bytes: the name goes into an index entry, which a page has to hold three of.
constexpr std::size_t kMaxLedgerName = 256;
// Some 1000 years: beyond it nobody means a lease.
constexpr Duration kLongestLease = std::chrono::hours(24) * 365'000;

constexpr store::Query kInsert{
    "INSERT INTO {store}.ledgers (ledger, takeover, lease, durable) VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (ledger) DO NOTHING",
    pg::Type::text, pg::Type::text, pg::Type::interval, pg::Type::boolean};

// The same columns twice, as text: as it was created, and as given now.
constexpr store::Query kCompare{
    "SELECT l.takeover, l.lease::pg_catalog.text, l.durable::pg_catalog.text "
    "FROM {store}.ledgers AS l WHERE l.ledger OPERATOR(pg_catalog.=) $1 "
    "UNION ALL SELECT $2, $3::pg_catalog.text, $4::pg_catalog.text",
    pg::Type::text, pg::Type::text, pg::Type::interval, pg::Type::boolean};
constexpr std::array kCompared{"takeover", "lease", "durable"};

constexpr store::Query kLockClaims{"LOCK TABLE {store}.claims IN SHARE ROW EXCLUSIVE MODE"};
constexpr store::Query kHasUnsettled{
    "SELECT FROM {store}.claims AS c WHERE c.ledger OPERATOR(pg_catalog.=) $1 "
    "AND (c.state OPERATOR(pg_catalog.=) 'claimed' OR c.state OPERATOR(pg_catalog.=) 'unknown') "
    "LIMIT 1",
    pg::Type::text};
constexpr store::Query kDeleteTakeovers{
    "DELETE FROM {store}.takeovers AS t WHERE t.ledger OPERATOR(pg_catalog.=) $1", pg::Type::text};
constexpr store::Query kDeleteClaims{
    "DELETE FROM {store}.claims AS c WHERE c.ledger OPERATOR(pg_catalog.=) $1", pg::Type::text};
constexpr store::Query kDelete{
    "DELETE FROM {store}.ledgers AS l WHERE l.ledger OPERATOR(pg_catalog.=) $1", pg::Type::text};

void check_name(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "ledger must not be empty");
    if (name.size() > kMaxLedgerName)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "ledger name of " + std::to_string(name.size()) + " bytes is too long",
                      "It may have " + std::to_string(kMaxLedgerName) + " bytes.");
}

// Where this session has found ledgers: a worker asks for the same few with every call. A hint that
// the row itself confirms.
struct Seen {
    Oid table = pg::kNoOid;
    pg::RowPlace place;
};
constinit std::array<Seen, 16> seen{};

Policy read_policy(const pg::FoundRow &row)
{
    Policy policy;
    if (!row.is_null(kLease)) {
        policy.takeover = Takeover::after_lease;
        policy.lease = row.duration(kLease);
    }
    policy.durable = row.boolean(kDurable);
    return policy;
}

std::optional<Policy> find(store::Store &store, std::string_view name)
{
    check_name(name);
    store::TableAt const at = store.table(kLedgers);
    std::optional<Policy> policy;
    Seen &hint = seen[std::hash<std::string_view>()(name) % seen.size()];
    if (hint.table == at.table)
        pg::read_at(at.table, hint.place, [&](const pg::FoundRow &row) {
            if (row.text(kLedgerName) == name)
                policy = read_policy(row);
        });
    if (policy)
        return policy;
    pg::IndexKey const wanted(name);
    pg::dirty_lookup(at.table, at.key, {&wanted, 1}, pg::Pick::first, [&](const pg::FoundRow &row) {
        policy = read_policy(row);
        hint = {at.table, row.place()};
    });
    return policy;
}

Policy require(store::Store &store, std::string_view name)
{
    if (auto const policy = find(store, name))
        return *policy;
    throw Failure(sqlstate::kUndefinedObject,
                  "ledger \"" + std::string(name) + "\" does not exist in store \"" + store.name +
                      "\"",
                  {}, "Create it with arbiter.create_ledger.");
}

std::string shown(const pg::Rows &rows, std::uint64_t row, int column)
{
    return rows.is_null(row, column) ? "null" : quote_literal(rows.text(row, column));
}

void require_identical(std::string_view name, const pg::Rows &rows)
{
    if (rows.count() != 2)
        store::refuse_unseen_definition();
    int column = 0;
    for (const char *const compared : kCompared) {
        std::string const created = shown(rows, 0, column);
        std::string const given = shown(rows, 1, column++);
        if (created == given)
            continue;
        std::string detail = "It was created with ";
        detail.append(compared).append(" => ").append(created);
        detail.append(", now it is ").append(given).append(".");
        throw Failure(sqlstate::kDuplicateObject,
                      "ledger \"" + std::string(name) + "\" exists with another definition",
                      std::move(detail), "Drop it first, or give the new one another name.");
    }
}

} // namespace

Ledger open(store::Store &store, std::string_view name)
{
    Oid const claims = store.table(kClaims).table;
    Oid const ledgers = store.table(kLedgers).table;
    pg::require_privileges(ledgers, pg::Privileges::select);
    pg::require_privileges(claims, pg::Privileges::select_insert_and_update);
    if (pg::has_row_security(claims) || pg::has_row_security(ledgers))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "row security on claims and ledgers is not supported",
                      "Whether a key has been claimed cannot depend on who asks.",
                      "Keep the ledgers of separate tenants in separate stores.");
    pg::lock_table_for_writing(claims);
    return {name, require(store, name)};
}

Policy policy_of(std::string_view takeover, std::optional<Duration> lease, bool durable)
{
    if (takeover == "never") {
        if (lease)
            throw Failure(sqlstate::kInvalidParameterValue,
                          "a ledger whose takeover is never has no lease", {},
                          "Leave the lease out, or choose takeover => 'after_lease'.");
        return {Takeover::never, std::nullopt, durable};
    }
    if (takeover != "after_lease")
        throw Failure(sqlstate::kInvalidParameterValue,
                      "takeover \"" + std::string(takeover) + "\" is unknown", {},
                      "It is 'never' (at most once) or 'after_lease' (at least once).");
    if (!lease || *lease == Duration::zero() || *lease > kLongestLease)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "takeover after_lease needs a lease that is positive and ends",
                      !lease                       ? "The lease is null."
                      : *lease == Duration::zero() ? "The lease is zero."
                                                   : "The lease is longer than 365000 days.",
                      "Give a lease longer than the work takes, for example lease => '5 min'.");
    return {Takeover::after_lease, lease, durable};
}

Made create(store::Store &store, std::string_view name, std::string_view takeover,
            const pg::Value &lease, const Policy &policy)
{
    check_name(name);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    std::array<pg::Value, 4> const values{name, takeover, lease, policy.durable};
    pg::Spi spi;
    if (spi.run(store.statement(kInsert), values, pg::Sees::fresh).count() == 1)
        return Made::created;
    require_identical(name, spi.run(store.statement(kCompare), values, pg::Sees::fresh));
    return Made::existed;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    pg::Spi spi;
    // Whoever is about to claim waits here for us, and then finds no ledger.
    spi.run(store.statement(kLockClaims), {}, pg::Sees::fresh);
    require(store, name);
    if (!force && !spi.run(store.statement(kHasUnsettled), {name}, pg::Sees::latest).empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "ledger \"" + std::string(name) + "\" has unsettled claims",
                      "The view unsettled_claims of the store lists them.",
                      "Settle them, or pass force => true if forgetting them is meant.");
    ClaimsMayVanish permit;
    spi.run(store.statement(kDeleteTakeovers), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteClaims), {name}, pg::Sees::fresh);
    if (spi.run(store.statement(kDelete), {name}, pg::Sees::fresh).count() == 0)
        store::refuse_unseen_definition();
}

} // namespace arbiter::claim
