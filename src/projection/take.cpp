#include "projection/take.hpp"

#include <array>
#include <string>

#include "base/failure.hpp"
#include "claim/decision.hpp"
#include "pg/catalog.hpp"
#include "pg/clock.hpp"
#include "pg/keyed_row.hpp"
#include "pg/transaction.hpp"
#include "projection/tables.hpp"

namespace arbiter::projection {

namespace {

store::TableAt open_taken(store::Store &store)
{
    store::TableAt const at = store.table(kTaken);
    pg::require_privileges(at.table, pg::Privileges::select_insert_and_update);
    if (pg::has_row_security(at.table))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "row security on taken_streams is not supported",
                      "Whether a stream is free cannot depend on who asks.");
    return at;
}

claim::Time now()
{
    return static_cast<claim::Time>(pg::clock_timestamp());
}

claim::Time end_of(Duration lease, claim::Time from)
{
    return *claim::lease_end({.takeover = claim::Takeover::after_lease, .lease = lease}, from);
}

std::optional<std::int64_t> token_of(const pg::FoundRow &row)
{
    return row.is_null(kTakenToken) ? std::nullopt : std::optional(row.bigint(kTakenToken));
}

bool is_leased(const pg::FoundRow &row, claim::Time now)
{
    return !row.is_null(kTakenLeaseUntil) && !claim::has_lapsed(row.bigint(kTakenLeaseUntil), now);
}

} // namespace

Taker::Taker(store::Store &store, std::string_view projection, const std::optional<Lease> &lease)
    : at_(open_taken(store)), projection_(projection), lease_(lease), now_(now()),
      one_snapshot_(pg::keeps_its_snapshot())
{
}

bool Taker::take(std::string_view stream, std::int64_t up_to)
{
    std::array const values{projection_, pg::IndexKey(stream)};
    bool taken = false;
    pg::decide_row(
        {.table = at_.table, .index = at_.key, .values = values},
        [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
            taken = !in_flight && !(row && is_leased(*row, now_)) &&
                    !(row && one_snapshot_ && row->newer_than_snapshot());
            if (!taken)
                return pg::Verdict::leave;
            draft.set(kTakenProjection, values[0].datum());
            draft.set(kTakenEntity, values[1].datum());
            draft.set(kTakenTo, static_cast<Datum>(up_to));
            if (lease_) {
                auto const before = row ? token_of(*row) : std::nullopt;
                draft.set(kTakenToken, static_cast<Datum>(claim::next_token(before, now_)));
                draft.set(kTakenLease, lease_->interval.datum());
                draft.set(kTakenLeaseUntil, static_cast<Datum>(end_of(lease_->length, now_)));
            }
            return pg::Verdict::write;
        });
    return taken;
}

void Taker::put_back(std::string_view stream)
{
    std::array const values{projection_, pg::IndexKey(stream)};
    pg::decide_row({.table = at_.table, .index = at_.key, .values = values},
                   [](const pg::FoundRow *row, bool, pg::Draft &draft) {
                       draft.clear(kTakenLeaseUntil);
                       return row ? pg::Verdict::write : pg::Verdict::leave;
                   });
}

namespace {

// change(row, draft) is called on the row that the token holds, once nobody is in flight on it.
template <typename Change>
Standing change_taken(store::Store &store, const Place &place, std::int64_t token,
                      std::int64_t revision, Change change)
{
    auto const [table, key] = open_taken(store);
    std::array const values{pg::IndexKey(place.projection), pg::IndexKey(place.entity)};
    Standing standing;
    pg::decide_row({.table = table, .index = key, .values = values},
                   [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
                       standing = {};
                       if (!row)
                           return pg::Verdict::leave;
                       standing.taken_with = token_of(*row);
                       // Tokens only grow, and what is given back is taken with another one: what
                       // is refused now is refused for good.
                       if (standing.taken_with != token)
                           return pg::Verdict::leave;
                       if (row->is_null(kTakenLeaseUntil)) {
                           standing.is = Standing::given_back;
                           return pg::Verdict::leave;
                       }
                       standing.taken_to = row->bigint(kTakenTo);
                       if (revision > standing.taken_to) {
                           standing.is = Standing::beyond;
                           return pg::Verdict::leave;
                       }
                       if (in_flight)
                           return pg::Verdict::wait;
                       standing.is = Standing::held;
                       change(*row, draft);
                       return pg::Verdict::write;
                   });
    return standing;
}

} // namespace

Standing go_on(store::Store &store, const Place &place, std::int64_t token, std::int64_t revision)
{
    claim::Time const from = now();
    return change_taken(
        store, place, token, revision, [&](const pg::FoundRow &row, pg::Draft &draft) {
            if (revision == row.bigint(kTakenTo))
                draft.clear(kTakenLeaseUntil);
            else
                draft.set(kTakenLeaseUntil,
                          static_cast<Datum>(end_of(row.duration(kTakenLease), from)));
        });
}

Standing give_back(store::Store &store, const Place &place, std::int64_t token,
                   std::int64_t revision)
{
    return change_taken(store, place, token, revision, [](const pg::FoundRow &, pg::Draft &draft) {
        draft.clear(kTakenLeaseUntil);
    });
}

void refuse_if_beyond(const Place &place, std::int64_t revision, const Standing &standing)
{
    if (standing.is == Standing::beyond)
        throw Failure(sqlstate::kOffsetGap,
                      "revision " + std::to_string(revision) + " of stream \"" +
                          std::string(place.entity) + "\" was not handed out with this token",
                      "The last one that was is " + std::to_string(standing.taken_to) + ".",
                      "Name the events that arbiter.next_events gave.");
}

void refuse_lost(const Place &place, std::int64_t token, const Standing &standing)
{
    std::string detail = "Nobody has taken it.";
    if (standing.is == Standing::given_back)
        detail = "It was given back: with the last event that was taken, or with one that failed.";
    else if (standing.taken_with)
        detail = "It was taken with token " + std::to_string(*standing.taken_with) + ".";
    throw Failure(sqlstate::kTokenLost,
                  "token " + std::to_string(token) + " does not hold stream \"" +
                      std::string(place.entity) + "\" of projection \"" +
                      std::string(place.projection) + "\"",
                  std::move(detail), "Stop: its events are another worker's to apply.");
}

} // namespace arbiter::projection
