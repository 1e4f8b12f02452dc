#include "log/judge.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/failure.hpp"
#include "lock/entity_lock.hpp"
#include "log/governor.hpp"
#include "log/replay.hpp"

namespace arbiter::log {

namespace {

// 54000 where the stream has no revision left: the next would be a negative one, before all others.
std::int64_t last_revision(const Head &head, const Request &request)
{
    auto const count = static_cast<std::int64_t>(request.events.size());
    if (head.revision > std::numeric_limits<std::int64_t>::max() - count)
        throw Failure(sqlstate::kProgramLimitExceeded,
                      "stream \"" + std::string(request.stream) + "\" has no revision left",
                      "Its last revision is " + std::to_string(head.revision) + ".",
                      "Go on in another stream.");
    return head.revision + count;
}

Appended judge_one(const store::Store &store, const Request &request, const Head &head)
{
    if (store.event_id_key)
        if (auto const revision =
                find_replay(store, request.stream, request.expected, request.events))
            return {Outcome::replayed, *revision, head.revision};
    if (head.closed && !request.own)
        return {Outcome::closed, kNoRevision, head.revision};
    if (!request.expected.accepts(head.revision))
        return {Outcome::conflict, kNoRevision, head.revision};
    if (!request.expected.names_revision())
        refuse_unserializable(head);
    return {Outcome::appended, last_revision(head, request), last_revision(head, request)};
}

bool is_refusal(const Appended &answer)
{
    return answer.outcome == Outcome::conflict || answer.outcome == Outcome::closed;
}

// A call is stored as a whole, so a retry of it finds all of it.
void refuse_half_replayed(std::span<const Request> requests, std::span<const Appended> answers)
{
    bool replayed = false;
    bool fresh = false;
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (!requests[i].events.empty())
            (answers[i].outcome == Outcome::replayed ? replayed : fresh) = true;
    if (replayed && fresh)
        throw Failure(sqlstate::kEventIdReused, "part of this call is stored already",
                      "The events of some streams are known by their ids, those of others are not.",
                      "A retry sends the whole call again, unchanged; anything new needs new ids.");
}

} // namespace

bool Judgement::same_heads(const Judgement &other) const noexcept
{
    return std::ranges::equal(heads, other.heads, {}, &Head::revision, &Head::revision);
}

void queue(const store::Store &store, std::string_view stream)
{
    // Whoever has written to the stream already holds every other writer back by that, and would
    // invite a deadlock by queueing behind one.
    if (!lock::try_lock(stream) && !find_head(store, stream).written_by_me)
        lock::lock(stream);
}

void queue(const store::Store &store, std::span<const Request> requests)
{
    for (const Request &request : requests)
        if (!request.expected.names_revision() && !request.events.empty())
            queue(store, request.stream);
}

Judgement judge(store::Store &store, std::span<const Request> requests)
{
    Judgement judgement;
    judgement.heads.reserve(requests.size());
    judgement.answers.reserve(requests.size());
    for (const Request &request : requests) {
        // The head first: its writer is waited for, so that if it was this very append, made by
        // another session, the ids tell. The other way round it could arrive between the two looks.
        judgement.heads.push_back(find_head(store, request.stream));
        judgement.answers.push_back(judge_one(store, request, judgement.heads.back()));
    }
    if (std::ranges::any_of(judgement.answers, is_refusal))
        return judgement;
    refuse_half_replayed(requests, judgement.answers);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i].events.empty() || judgement.answers[i].outcome != Outcome::appended)
            continue;
        if (!requests[i].own)
            governor().judge(store, requests[i].stream, judgement.heads[i], requests[i].events);
        judgement.to_be_written = true;
    }
    return judgement;
}

// Drivers show this string only, so programs parse it. The name comes last, since it may hold
// anything.
std::string describe_conflict(std::string_view stream, std::int64_t expected, std::int64_t actual)
{
    return "Expected revision " + std::to_string(expected) + ", actual revision " +
           std::to_string(actual) + ", stream \"" + std::string(stream) + "\".";
}

namespace {

std::string describe(const Request &request, const Appended &answer)
{
    if (answer.outcome == Outcome::closed)
        return "It was closed at revision " + std::to_string(answer.current) + ", stream \"" +
               std::string(request.stream) + "\".";
    return describe_conflict(request.stream, request.expected.value(), answer.current);
}

} // namespace

void refuse_if_any(std::span<const Request> requests, std::span<const Appended> answers)
{
    std::string detail;
    const Request *first = nullptr;
    bool closed = false;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!is_refusal(answers[i]))
            continue;
        if (!first)
            first = &requests[i];
        closed |= answers[i].outcome == Outcome::closed;
        detail += (detail.empty() ? "" : "\n") + describe(requests[i], answers[i]);
    }
    if (!first)
        return;
    std::string const stream = "stream \"" + std::string(first->stream) + "\"";
    if (closed)
        throw Failure(sqlstate::kStreamClosed, stream + " is closed", std::move(detail));
    throw Failure(sqlstate::kWrongExpectedRevision, "wrong expected revision for " + stream,
                  std::move(detail), "Read the stream again and decide again.");
}

} // namespace arbiter::log
