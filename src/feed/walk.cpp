#include "feed/walk.hpp"

#include <algorithm>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"

namespace arbiter::feed {

void require_handed_out(const View &view, std::int64_t position, std::int64_t handed_out)
{
    if (view.is_standby() || position <= handed_out)
        return;
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "position " + std::to_string(position) +
                      " has not been handed out by the sequence of store \"" + view.store().name +
                      "\"",
                  "The last position handed out is " + std::to_string(handed_out) +
                      ": the sequence events_position has been set back, or the cursor is from "
                      "another store or another time of this one.",
                  "Compare the cursor with the store; SELECT * FROM arbiter.doctor(" +
                      quote_literal(view.store().name) + ") knows of a sequence set back.");
}

Walk::Walk(View &view, std::int64_t after)
    : view_(view), scan_(view.scan()), durability_(view.sight()), event_(after), settled_(after)
{
    scan_.start(after);
}

bool Walk::next()
{
    if (cut_ || !scan_.next())
        return false;
    std::int64_t const position = scan_.key();
    cut_ = position >= view_.own_from() || !is_settled_up_to(position);
    if (cut_)
        return false;
    event_ = settled_ = position;
    durability_.require_commit_of(scan_.origin().transaction);
    durability_.require_log_up_to(scan_.origin().place);
    return true;
}

bool Walk::is_settled_up_to(std::int64_t position)
{
    Gap const gap{settled_ + 1, position - 1};
    if (gap.first > gap.last)
        return true;
    require_handed_out(view_, position, view_.findings().evidence.handed_out);
    auto const unsettled = view_.first_unsettled(gap);
    settled_ = unsettled.value_or(position) - 1;
    return !unsettled;
}

void Walk::add_to(pg::ResultSet &events) const
{
    scan_.add_to(events);
}

std::int64_t Walk::horizon()
{
    const auto &[evidence, logged_at, is_present] = view_.findings();
    require_handed_out(view_, settled_, evidence.handed_out);
    Gap const rest{settled_ + 1, std::min(evidence.handed_out, view_.own_from() - 1)};
    if (rest.first <= rest.last) {
        auto const unsettled = view_.first_unsettled(rest);
        settled_ = unsettled ? *unsettled - 1 : rest.last;
    }
    // Of positions behind the last event nothing on disk need tell that they were drawn.
    if (settled_ > event_)
        durability_.require_log_up_to(logged_at);
    return settled_;
}

} // namespace arbiter::feed
