#include "log/history.hpp"

#include <limits>

#include "base/failure.hpp"
#include "log/stream_name.hpp"

namespace arbiter::log {

namespace {

std::string quoted(std::string_view stream)
{
    return "stream \"" + std::string(stream) + "\"";
}

std::string at(std::int64_t position)
{
    return "event at position " + std::to_string(position);
}

} // namespace

void refuse_unless_follows(const Place &event, const std::optional<Predecessor> &before)
{
    // Truncating and redacting leave their own events, and close again.
    if (before && before->closes && event.type.front() != kReservedPrefix)
        throw Failure(sqlstate::kStreamClosed, quoted(event.stream) + " is closed",
                      "It was closed at revision " + std::to_string(before->revision) + "; the " +
                          at(event.position) + " comes after that.");
    if (!before && event.revision >= 0)
        return;
    // Not revision + 1 == event.revision: the last revision there is has no successor.
    if (before && event.revision > 0 && before->revision == event.revision - 1 &&
        event.position > before->position)
        return;
    throw Failure(sqlstate::kNoncontiguousRevision,
                  at(event.position) + " does not continue " + quoted(event.stream),
                  "It has revision " + std::to_string(event.revision) +
                      (before ? "; the event before it has revision " +
                                    std::to_string(before->revision) + ", at position " +
                                    std::to_string(before->position) + "."
                              : std::string(".")),
                  "In each stream revisions grow one by one, in the order of positions.");
}

std::optional<Predecessor> History::find(std::string_view stream) const
{
    auto const found = streams_.find(stream);
    return found == streams_.end() ? std::nullopt : std::optional(found->second);
}

void History::check_position(const Place &event) const
{
    // Readers take the greatest number for "none".
    if (event.position <= 0 || event.position == std::numeric_limits<std::int64_t>::max())
        throw Failure(sqlstate::kInvalidParameterValue,
                      "position " + std::to_string(event.position) + " is out of range",
                      "Positions start at 1 and end before " +
                          std::to_string(std::numeric_limits<std::int64_t>::max()) + ".");
    if (event.position <= handed_out_)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "position " + std::to_string(event.position) + " has been handed out before",
                      "The store's sequence stands at " + std::to_string(handed_out_) +
                          ": whoever follows the store may have gone past that.",
                      "Import into a store that has just been created.");
    if (event.position == last_position_)
        throw Failure(sqlstate::kUniqueViolation,
                      "position " + std::to_string(event.position) + " is given twice",
                      "Once more to revision " + std::to_string(event.revision) + " of " +
                          quoted(event.stream) + ".");
}

void History::add(const Place &event, const std::optional<Predecessor> &before)
{
    check_position(event);
    refuse_unless_follows(event, before);
    last_position_ = event.position;
    Predecessor const now{event.revision, event.position, event.type == kClosedType};
    if (auto const known = streams_.find(event.stream); known != streams_.end())
        known->second = now;
    else
        streams_.emplace(event.stream, now);
    if (!before && event.revision > 0)
        beheaded_.emplace(event.stream);
    if (event.type == kTruncatedType)
        if (auto const found = beheaded_.find(event.stream); found != beheaded_.end())
            beheaded_.erase(found);
}

void History::forget_some()
{
    if (streams_.size() <= max_streams_)
        return;
    streams_.clear();
    has_forgotten_ = true;
}

void History::finish() const
{
    if (beheaded_.empty())
        return;
    throw Failure(sqlstate::kNoncontiguousRevision,
                  quoted(*beheaded_.begin()) + " does not begin at revision 0",
                  "No " + std::string(kTruncatedType) +
                      " event in it says where its first events went.",
                  "Number each stream's revisions from 0 on, and import all of its events.");
}

} // namespace arbiter::log
