#include "claim/claim.hpp"

#include <algorithm>
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

// What decides about one place; nothing of it needs a destructor.
struct Judge {
    const Offer &offer;
    bool stops_where_busy;
    bool collided = false;

    pg::Verdict operator()(const Place &place, const pg::FoundRow *row, bool in_flight,
                           pg::Draft &draft, Answer &answer)
    {
        collided = row && !place.is_at(*row);
        if (collided)
            return pg::Verdict::stop;
        Found found{};
        if (row)
            found = read(*row);
        answer = {};
        answer.decision =
            decide(row ? &found : nullptr, in_flight, offer.policy, offer.fingerprint, offer.now);
        if (answer.decision == Decision::win) {
            std::int64_t const token =
                next_token(row ? std::optional(found.standing.token) : std::nullopt, offer.now);
            draft_claim(place, offer, token, draft);
            answer = won(offer, token);
            return pg::Verdict::write;
        }
        if (row)
            answer = as_found(answer.decision, found, *row);
        bool const stop = answer.decision == Decision::mismatch ||
                          (stops_where_busy && answer.decision == Decision::busy);
        return stop ? pg::Verdict::stop : pg::Verdict::leave;
    }
};

// One look at each place and, where nothing is in the way, the claim. Never waits. Returns how many
// were gone through before it stopped.
std::size_t look(std::span<const Place> places, const Offer &offer, bool stops_where_busy,
                 std::span<Answer> answers)
{
    auto const keys = row_keys(places);
    Judge judge{offer, stops_where_busy};
    std::size_t const seen = pg::decide_rows(
        keys, [&](std::size_t n, const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
            return judge(places[n], row, in_flight, draft, answers[n]);
        });
    if (judge.collided)
        refuse_collision(places[seen].key());
    return seen;
}

// A server error takes a subtransaction to get over; whoever does not wait doesn't pay for it. When
// the time is up, whoever is in flight still is: the next look tells.
void wait_for_writer(const Place &place, const Deadline &deadline)
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
}

void count(const store::Store &store, Decision decision) noexcept
{
    switch (decision) {
    case Decision::win:
    case Decision::own:
        return shared::count(store.schema, shared::Noun::claim, shared::Outcome::done);
    case Decision::settled:
        return shared::count(store.schema, shared::Noun::claim, shared::Outcome::already);
    case Decision::taken:
    case Decision::busy:
    case Decision::mismatch:
        return shared::count(store.schema, shared::Noun::claim, shared::Outcome::conflict);
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

// Until every place has its answer. After a wait the rest is looked at anew.
void claim_places(const store::Store &store, const Ledger &ledger, std::span<const Place> places,
                  const Request &request, const Deadline &deadline, std::span<Answer> answers)
{
    std::size_t at = 0;
    for (;;) {
        at += look(places.subspan(at), Offer(ledger.policy, request), !deadline.passed(),
                   answers.subspan(at));
        if (at == places.size())
            break;
        if (answers[at].decision == Decision::mismatch) {
            count(store, Decision::mismatch);
            refuse_mismatch(ledger, places[at].key());
        }
        shared::count(store.schema, shared::Noun::claim, shared::Outcome::waited);
        wait_for_writer(places[at], deadline);
    }
    bool has_won = false;
    for (const Answer &answer : answers) {
        count(store, answer.decision);
        has_won = has_won || answer.decision == Decision::win;
    }
    // Otherwise a crash could forget the claim after what it is for has happened.
    if (has_won && ledger.policy.durable)
        pg::force_synchronous_commit();
}

} // namespace

bool is_won(Decision decision) noexcept
{
    return decision == Decision::win || decision == Decision::own;
}

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
    Answer answer{};
    claim_places(store, ledger, {&place, 1}, request, deadline, {&answer, 1});
    return answer;
}

std::vector<Answer> claim_keys(store::Store &store, const Ledger &ledger,
                               std::span<const std::string_view> keys, const Request &request,
                               const Deadline &deadline)
{
    OrderedPlaces const ordered(store, ledger.name, keys);
    std::vector<Answer> in_order(keys.size());
    claim_places(store, ledger, ordered.places, request, deadline, in_order);
    std::vector<Answer> answers(keys.size());
    for (std::size_t i = 0; i < in_order.size(); ++i)
        answers[ordered.positions[i]] = in_order[i];
    return answers;
}

} // namespace arbiter::claim
