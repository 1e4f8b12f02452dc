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
    bool collided = false;
    bool changed = false;
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

// Has change(found, draft) made to the row for which accepts(found) holds, once nobody is in flight
// on it; otherwise leaves it. Who was found is in the holder.
template <typename Accepts, typename Change>
pg::Verdict judge(const Place &place, Time now, const pg::FoundRow *row, bool in_flight,
                  pg::Draft &draft, Holder &holder, Accepts accepts, Change change)
{
    holder = {};
    holder.collided = row && !place.is_at(*row);
    if (!row || holder.collided)
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
    holder.changed = true;
    return pg::Verdict::write;
}

template <typename Accepts, typename Change>
Holder change_row(const Place &place, Time now, Accepts accepts, Change change)
{
    Holder holder;
    pg::decide_row(place.row_key(), [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
        return judge(place, now, row, in_flight, draft, holder, accepts, change);
    });
    if (holder.collided)
        refuse_collision(place.key());
    return holder;
}

auto held_by(std::int64_t token)
{
    return [token](const Found &found) {
        return found.standing.token == token && found.standing.state == State::claimed;
    };
}

// What settling writes, the state in the server's form and made beforehand.
class Settling {
public:
    explicit Settling(State state)
        : state_(std::string_view{name(state)}), now_(static_cast<Time>(pg::clock_timestamp()))
    {
    }
    Time now() const noexcept { return now_; }
    auto with(const std::optional<Datum> &result) const noexcept
    {
        return [this, &result](const Found &, pg::Draft &draft) {
            draft.set(kState, state_.datum());
            draft.set(kSettledAt, static_cast<Datum>(now_));
            if (result)
                draft.set(kResult, *result);
        };
    }

private:
    pg::Value state_;
    Time now_; // one for the whole call
};

Settled settled(const Holder &holder, State state)
{
    if (holder.changed)
        return {true, true, {holder.standing.token, state}, holder.claimant};
    return {false, holder.exists, holder.standing, holder.claimant};
}

} // namespace

void settle(store::Store &store, const Ledger &ledger, const Settlement &settlement, State state)
{
    Place const place(store, ledger.name, settlement.key);
    Settling const settling(state);
    Holder const holder = change_row(place, settling.now(), held_by(settlement.token),
                                     settling.with(settlement.result));
    if (!holder.changed)
        refuse_lost(ledger, settlement.key, settlement.token, holder);
}

std::vector<Settled> settle_keys(store::Store &store, const Ledger &ledger,
                                 std::span<const Settlement> settlements, State state)
{
    std::vector<std::string_view> keys;
    keys.reserve(settlements.size());
    for (const Settlement &settlement : settlements)
        keys.push_back(settlement.key);
    OrderedPlaces const ordered(store, ledger.name, keys);
    Settling const settling(state);
    std::vector<Holder> holders(keys.size());
    pg::decide_rows(row_keys(ordered.places), [&](std::size_t n, const pg::FoundRow *row,
                                                  bool in_flight, pg::Draft &draft) {
        const Settlement &settlement = settlements[ordered.positions[n]];
        return judge(ordered.places[n], settling.now(), row, in_flight, draft, holders[n],
                     held_by(settlement.token), settling.with(settlement.result));
    });
    std::vector<Settled> answers(keys.size());
    for (std::size_t n = 0; n < holders.size(); ++n) {
        if (holders[n].collided)
            refuse_collision(ordered.places[n].key());
        answers[ordered.positions[n]] = settled(holders[n], state);
    }
    return answers;
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
    auto const is_live = [&](const Found &found) {
        return held_by(token)(found) && !has_lapsed(found.lease_until, now);
    };
    Holder const holder = change_row(place, now, is_live, [&](const Found &, pg::Draft &draft) {
        draft.set(kLeaseUntil, static_cast<Datum>(*end));
    });
    if (!holder.changed)
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
    std::int64_t token = 0;
    Holder const former = change_row(
        place, now, [](const Found &found) { return found.standing.state != State::done; },
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
    if (!former.changed)
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
