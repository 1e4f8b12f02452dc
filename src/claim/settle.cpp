#include "claim/settle.hpp"

#include <string>

#include "base/failure.hpp"
#include "claim/row.hpp"
#include "pg/catalog.hpp"
#include "pg/clock.hpp"
#include "pg/spi.hpp"
#include "pg/text.hpp"
#include "pg/transaction.hpp"

namespace arbiter::claim {

namespace {

constexpr store::Query kRecordTakeover{
    "INSERT INTO {store}.takeovers (ledger, key, token, former_token, former_state, "
    "former_claimant, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    pg::Type::text,
    pg::Type::text,
    pg::Type::bigint,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text};

std::string described(const Ledger &ledger, std::string_view key)
{
    return "claim \"" + std::string(key) + "\" of ledger \"" + std::string(ledger.name) + "\"";
}

// The claim as it was when the decision fell; kept past the row.
struct Holder {
    bool exists = false;
    bool lapsed = false;
    Standing standing{};
    std::optional<Datum> claimant;
};

[[noreturn]] void refuse_lost(const Ledger &ledger, std::string_view key, std::int64_t token,
                              const Holder &holder)
{
    std::string detail;
    if (!holder.exists)
        detail = "There is no such claim.";
    else if (holder.standing.token == token && holder.lapsed)
        detail = "Its lease has lapsed, so anybody may take it over.";
    else
        detail = "It is " + std::string(name(holder.standing.state)) + " with token " +
                 std::to_string(holder.standing.token) + " by " +
                 (holder.claimant ? "\"" + std::string(pg::text_view(*holder.claimant)) + "\"."
                                  : "a claimant without a name.");
    throw Failure(sqlstate::kTokenLost,
                  "token " + std::to_string(token) + " does not hold " + described(ledger, key),
                  std::move(detail), "Stop: what was claimed is no longer yours to do.");
}

// Calls change(found, draft) on the row for which accepts(found) holds, once nobody is in flight on
// it; otherwise leaves it. Who was found is in the holder.
template <typename Accepts, typename Change>
bool change_row(const Place &place, Time now, Holder &holder, Accepts accepts, Change change)
{
    bool changed = false;
    bool collided = false;
    pg::decide_row(place.row_key(), [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
        collided = row && !place.is_at(*row);
        changed = false;
        holder = {};
        if (!row || collided)
            return pg::Verdict::leave;
        Found const found = read(*row);
        holder.exists = true;
        holder.lapsed = has_lapsed(found.lease_until, now);
        holder.standing = found.standing;
        if (!row->is_null(kClaimant))
            holder.claimant = row->detached(kClaimant);
        // Tokens only grow and settled claims stay, so what is refused now is refused for good.
        if (!accepts(found))
            return pg::Verdict::leave;
        if (in_flight)
            return pg::Verdict::wait;
        change(found, draft);
        changed = true;
        return pg::Verdict::write;
    });
    if (collided)
        refuse_collision(place.key());
    return changed;
}

auto held_by(std::int64_t token)
{
    return [token](const Found &found) {
        return found.standing.token == token && found.standing.state == State::claimed;
    };
}

} // namespace

void settle(store::Store &store, const Ledger &ledger, std::string_view key, std::int64_t token,
            State state, const pg::Value &result)
{
    Place const place(store, ledger.name, key);
    auto const now = static_cast<Time>(pg::clock_timestamp());
    pg::Value const name_of_state(std::string_view{name(state)});
    Holder holder;
    if (!change_row(place, now, holder, held_by(token), [&](const Found &, pg::Draft &draft) {
            draft.set(kState, name_of_state.datum());
            draft.set(kSettledAt, static_cast<Datum>(now));
            if (!result.is_null())
                draft.set(kResult, result.datum());
        }))
        refuse_lost(ledger, key, token, holder);
}

Time renew(store::Store &store, const Ledger &ledger, std::string_view key, std::int64_t token)
{
    auto const now = static_cast<Time>(pg::clock_timestamp());
    auto const end = lease_end(ledger.policy, now);
    if (!end)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "ledger \"" + std::string(ledger.name) + "\" gives no leases",
                      "Its takeover is never, so a claim lasts until it is settled.");
    Place const place(store, ledger.name, key);
    Holder holder;
    auto const is_live = [&](const Found &found) {
        return held_by(token)(found) && !has_lapsed(found.lease_until, now);
    };
    if (!change_row(place, now, holder, is_live, [&](const Found &, pg::Draft &draft) {
            draft.set(kLeaseUntil, static_cast<Datum>(*end));
        }))
        refuse_lost(ledger, key, token, holder);
    return *end;
}

std::int64_t force_takeover(store::Store &store, const Ledger &ledger, std::string_view key,
                            std::string_view reason)
{
    if (reason.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "reason must not be empty");
    Place const place(store, ledger.name, key);
    auto const now = static_cast<Time>(pg::clock_timestamp());
    auto const end = lease_end(ledger.policy, now);
    pg::Value const claimed(std::string_view("claimed"));
    pg::Value const person(pg::session_user());
    Holder former;
    std::int64_t token = 0;
    bool const taken = change_row(
        place, now, former, [](const Found &found) { return found.standing.state != State::done; },
        [&](const Found &found, pg::Draft &draft) {
            token = next_token(found.standing.token, now);
            draft.set(kToken, static_cast<Datum>(token));
            draft.set(kState, claimed.datum());
            draft.set(kClaimedAt, static_cast<Datum>(now));
            if (end)
                draft.set(kLeaseUntil, static_cast<Datum>(*end));
            draft.clear(kSettledAt);
            draft.clear(kResult);
            draft.set(kClaimant, person.datum());
        });
    if (!former.exists)
        throw Failure(sqlstate::kUndefinedObject, described(ledger, key) + " does not exist");
    if (!taken)
        throw Failure(sqlstate::kNotInPrerequisiteState, described(ledger, key) + " is done",
                      "What is done never reopens.");
    pg::Spi spi;
    spi.run(store.statement(kRecordTakeover),
            {ledger.name, key, token, former.standing.token,
             std::string_view(name(former.standing.state)),
             former.claimant ? pg::Value::of(*former.claimant) : pg::Value::null(), reason},
            pg::Sees::fresh);
    if (ledger.policy.durable)
        pg::force_synchronous_commit();
    return token;
}

} // namespace arbiter::claim
