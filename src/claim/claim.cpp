#include "claim/claim.hpp"

#include <string>

#include "base/failure.hpp"
#include "claim/row.hpp"
#include "pg/clock.hpp"
#include "pg/lock_timeout.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pg/transaction.hpp"
#include "shared/counters.hpp"

namespace arbiter::claim {

namespace {

// What a won claim writes, in the server's form and made beforehand: while the row is decided
// nothing that has a destructor may be made.
struct Offer {
    Offer(const Policy &policy, const Request &request)
        : policy(policy), fingerprint(request.fingerprint), fingerprint_value(request.fingerprint),
          claimant_value(request.claimant), claimed(pg::Value(std::string_view("claimed"))),
          now(static_cast<Time>(pg::clock_timestamp()))
    {
    }
    const Policy policy;
    const std::optional<std::string_view> fingerprint;
    const pg::Value fingerprint_value, claimant_value, claimed;
    const Time now; // one for the whole decision
};

void set_optional(pg::Draft &draft, int column, const pg::Value &value)
{
    if (value.is_null())
        draft.clear(column);
    else
        draft.set(column, value.datum());
}

void draft_claim(const Place &place, const Offer &offer, std::int64_t token, pg::Draft &draft)
{
    place.fill(draft);
    draft.set(kToken, static_cast<Datum>(token));
    draft.set(kState, offer.claimed.datum());
    draft.set(kClaimedAt, static_cast<Datum>(offer.now));
    if (auto const end = lease_end(offer.policy, offer.now))
        draft.set(kLeaseUntil, static_cast<Datum>(*end));
    else
        draft.clear(kLeaseUntil);
    draft.clear(kSettledAt);
    draft.clear(kResult);
    if (!offer.fingerprint_value.is_null()) // what was asserted before stays asserted
        draft.set(kFingerprint, offer.fingerprint_value.datum());
    set_optional(draft, kClaimant, offer.claimant_value);
}

Answer won(const Offer &offer, std::int64_t token)
{
    return {.decision = Decision::win,
            .standing = {token, State::claimed},
            .since = offer.now,
            .result = std::nullopt,
            .claimant = offer.claimant_value.is_null()
                            ? std::nullopt
                            : std::optional(offer.claimant_value.datum())};
}

Answer as_found(Decision decision, const Found &found, const pg::FoundRow &row)
{
    Answer answer{.decision = decision,
                  .standing = found.standing,
                  .since = row.bigint(row.is_null(kSettledAt) ? kClaimedAt : kSettledAt),
                  .result = std::nullopt,
                  .claimant = std::nullopt};
    if (!row.is_null(kResult))
        answer.result = row.detached(kResult);
    if (!row.is_null(kClaimant))
        answer.claimant = row.detached(kClaimant);
    return answer;
}

// One look and, if nothing is in the way, the claim. Never waits.
Answer look(const Place &place, const Offer &offer)
{
    Answer answer{};
    bool collided = false;
    pg::decide_row(place.row_key(), [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
        collided = row && !place.is_at(*row);
        if (collided)
            return pg::Verdict::leave;
        Found found{};
        if (row)
            found = read(*row);
        Decision const decision =
            decide(row ? &found : nullptr, in_flight, offer.policy, offer.fingerprint, offer.now);
        if (decision == Decision::win) {
            std::int64_t const token =
                next_token(row ? std::optional(found.standing.token) : std::nullopt, offer.now);
            draft_claim(place, offer, token, draft);
            answer = won(offer, token);
            return pg::Verdict::write;
        }
        if (row)
            answer = as_found(decision, found, *row);
        answer.decision = decision;
        return pg::Verdict::leave;
    });
    if (collided)
        refuse_collision(place.key());
    return answer;
}

// False if the time is up. A server error takes a subtransaction to get over; whoever does not wait
// doesn't pay for it.
bool wait_for_writer(const Place &place, const Deadline &deadline)
{
    pg::LockTimeout const limit(deadline);
    bool waited = false;
    auto const error = pg::attempt([&] {
        pg::decide_row(place.row_key(), [&](const pg::FoundRow *, bool in_flight, pg::Draft &) {
            bool const wait = in_flight && !waited;
            waited = true;
            return wait ? pg::Verdict::wait : pg::Verdict::leave;
        });
    });
    if (error && !(error->is(sqlstate::kLockNotAvailable) && limit.is_ours()))
        throw *error;
    return !error;
}

void count(Decision decision) noexcept
{
    switch (decision) {
    case Decision::win:
    case Decision::own:
        return shared::count(shared::Noun::claim, shared::Outcome::done);
    case Decision::settled:
        return shared::count(shared::Noun::claim, shared::Outcome::already);
    case Decision::taken:
    case Decision::busy:
    case Decision::mismatch:
        return shared::count(shared::Noun::claim, shared::Outcome::conflict);
    }
}

[[noreturn]] void refuse_mismatch(const Ledger &ledger, std::string_view key)
{
    throw Failure(sqlstate::kFingerprintMismatch,
                  "claim \"" + std::string(key) + "\" of ledger \"" + std::string(ledger.name) +
                      "\" was made for another request",
                  "Its fingerprint is not the one given.",
                  "Two requests share one key, which is a bug in how keys are made.");
}

} // namespace

const char *outcome(Decision decision) noexcept
{
    switch (decision) {
    case Decision::win:
    case Decision::own:
        return "won";
    case Decision::taken:
        return "taken";
    case Decision::settled:
        return "settled";
    case Decision::busy:
        return "busy";
    case Decision::mismatch:
        break;
    }
    return "";
}

Answer claim(store::Store &store, const Ledger &ledger, std::string_view key,
             const Request &request, const Deadline &deadline)
{
    Place const place(store, ledger.name, key);
    Answer answer = look(place, Offer(ledger.policy, request));
    while (answer.decision == Decision::busy && !deadline.passed()) {
        shared::count(shared::Noun::claim, shared::Outcome::waited);
        if (!wait_for_writer(place, deadline))
            break;
        answer = look(place, Offer(ledger.policy, request));
    }
    count(answer.decision);
    if (answer.decision == Decision::mismatch)
        refuse_mismatch(ledger, key);
    // Otherwise a crash could forget the claim after what it is for has happened.
    if (answer.decision == Decision::win && ledger.policy.durable)
        pg::force_synchronous_commit();
    return answer;
}

} // namespace arbiter::claim
