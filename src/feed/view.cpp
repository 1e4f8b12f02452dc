#include "feed/view.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "feed/evidence.hpp"
#include "feed/known.hpp"
#include "feed/tables.hpp"
#include "pg/sequence.hpp"
#include "pg/transaction.hpp"
#include "store/positions.hpp"

namespace arbiter::feed {

namespace {

// As the caller's snapshot shows it: what it covers, that snapshot sees.
std::int64_t read_settled(store::Store &store, SnapshotData *sight)
{
    std::int64_t settled = 0;
    pg::read_sole_row(store.table(kFeed).table, {kSettled}, &settled, sight);
    return settled;
}

} // namespace

Oid index_of_positions(const store::Store &store)
{
    if (Oid const index = store.indexes.back())
        return index;
    throw Failure(sqlstate::kStoreFormat, "store \"" + store.name + "\" cannot be read in order",
                  "The unique key events_position_key of its table events is missing.",
                  "Run SELECT * FROM arbiter.doctor(" + quote_literal(store.name) +
                      ") for the remedy.");
}

View::View(store::Store &store, std::int64_t after)
    : store_(store), after_(after), sight_(pg::caller_snapshot()),
      positions_(index_of_positions(store)),
      own_from_(pg::first_drawn_here(store.position_sequence).value_or(kNone)),
      is_standby_(pg::is_standby())
{
    store::require_order(store);
}

pg::KeyOrderScan View::scan() const
{
    return pg::KeyOrderScan(store_.events, positions_, sight_);
}

const View::Findings &View::findings()
{
    if (findings_)
        return *findings_;
    std::int64_t const settled = std::max(read_settled(store_, sight_),
                                          known_horizon(store_.position_sequence, sight_, after_));
    if (is_standby_) // it cannot know who is writing
        findings_ = {
            {.settled = settled, .handed_out = kNone, .in_progress = settled + 1}, 0, true};
    else
        gather_on_primary(settled);
    return *findings_;
}

void View::gather_on_primary(std::int64_t settled)
{
    Gathered const gathered = gather(store_, sight_);
    present_.emplace(); // after the evidence: it has to see what the others left
    findings_ = {{.settled = settled,
                  .handed_out = gathered.handed_out,
                  .in_progress = std::min(gathered.in_progress, own_from_)},
                 gathered.logged_at,
                 pg::see_the_same(sight_, present_->get())};
}

std::optional<std::int64_t> View::first_unsettled(Gap gap)
{
    const auto &[evidence, logged_at, is_present] = findings();
    if (gap.last <= evidence.settled)
        return std::nullopt;
    auto const undecided = first_undecided(evidence, gap);
    if (is_present)
        return undecided;
    auto const unseen = first_unseen({std::max(gap.first, evidence.settled + 1), gap.last});
    return !unseen ? undecided : !undecided ? unseen : std::min(unseen, undecided);
}

std::optional<std::int64_t> View::first_unseen(Gap gap)
{
    if (gap.first > gap.last)
        return std::nullopt;
    if (!present_scan_)
        present_scan_.emplace(store_.events, positions_, present_->get());
    present_scan_->start(gap.first - 1);
    if (!present_scan_->next() || present_scan_->key() > gap.last)
        return std::nullopt;
    return present_scan_->key();
}

} // namespace arbiter::feed
