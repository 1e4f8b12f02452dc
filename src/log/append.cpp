#include "log/append.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/failure.hpp"
#include "log/head.hpp"
#include "log/judge.hpp"
#include "log/path.hpp"
#include "log/stream_name.hpp"
#include "log/write.hpp"
#include "pg/catalog.hpp"
#include "pg/json.hpp"
#include "pg/lock_manager.hpp"
#include "pg/subtransaction.hpp"
#include "shared/counters.hpp"

namespace arbiter::log {

namespace {

void check(const Request &request)
{
    check_stream_name(request.stream);
    for (const NewEvent &event : request.events) {
        if (!request.own)
            check_event_type(event.type);
        if (!pg::json_is_object(event.metadata))
            throw Failure(sqlstate::kInvalidParameterValue, "metadata must be a JSON object");
    }
}

bool has_ids(const Request &request)
{
    return std::ranges::any_of(request.events,
                               [](const NewEvent &event) { return event.id.has_value(); });
}

// Whether the answer may still be other than an error once an index has refused a row.
bool may_go_on_after_defeat(std::span<const Request> requests, Refusal refusal)
{
    const Request &first = requests.front();
    return refusal == Refusal::is_answer || requests.size() > 1 ||
           !first.expected.names_revision() || has_ids(first);
}

bool is_defeat(const pg::Error &error)
{
    return error.is(sqlstate::kUniqueViolation) &&
           (error.constraint() == "events_pkey" || error.constraint() == "events_stream_id_key");
}

void write_all(store::Store &store, Path path, std::span<const Request> requests,
               const Judgement &judgement)
{
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (!requests[i].events.empty())
            write(store, path, requests[i].stream, judgement.heads[i], requests[i].events,
                  Defeat::is_error);
}

// How an attempt to write ended. `error` is there where a subtransaction had to be rolled back.
struct Attempt {
    bool stored;
    std::optional<pg::Error> error;
};

// Another writer may slip in between the look at the head and the write. One stream on the direct
// path is told by the first index; anything else is taken back by a subtransaction.
Attempt write_unless_beaten(store::Store &store, Path path, std::span<const Request> requests,
                            const Judgement &judgement)
{
    if (path == Path::direct && requests.size() == 1) {
        const Request &request = requests.front();
        return {write(store, path, request.stream, judgement.heads.front(), request.events,
                      Defeat::is_answer),
                std::nullopt};
    }
    auto error = pg::attempt([&] { write_all(store, path, requests, judgement); });
    if (error && !is_defeat(*error))
        throw *error;
    return {!error, error};
}

// The cheapest way, for a loser who is told by an error anyway: the row is not on approval, which
// would cost every winner a WAL record. The index raises 23505 with its buffers let go, and a plain
// table has nobody else who would raise it: so the log can still be read, to name the winner's
// revision, before the error goes on its way.
Appended write_or_lose(store::Store &store, const Request &request, const Head &head)
{
    std::optional<pg::Error> error;
    try {
        write(store, Path::direct, request.stream, head, request.events, Defeat::is_error);
    } catch (const pg::Error &caught) {
        if (!is_defeat(caught))
            throw;
        error = caught;
    }
    std::int64_t const last = head.revision + static_cast<std::int64_t>(request.events.size());
    if (!error)
        return {Outcome::appended, last, last};
    std::int64_t const current = find_head(store, request.stream).revision;
    if (request.expected.accepts(current))
        throw *error;
    return {Outcome::conflict, kNoRevision, current};
}

void count(const store::Store &store, std::span<const Appended> answers)
{
    for (const Appended &answer : answers) {
        switch (answer.outcome) {
        case Outcome::appended:
            shared::count(store.schema, shared::Noun::append, shared::Outcome::done);
            break;
        case Outcome::replayed:
            shared::count(store.schema, shared::Noun::append, shared::Outcome::replayed);
            break;
        case Outcome::conflict:
        case Outcome::closed:
            shared::count(store.schema, shared::Noun::append, shared::Outcome::conflict);
            break;
        }
    }
}

// Each turn means that somebody else got on, so it ends; a retry draws new positions, so position
// order agrees with revision order inside a stream. Where nobody got on, it was the insert of a
// user's trigger that failed under the same name, here or in another store.
std::vector<Appended> settle(store::Store &store, Path path, std::span<const Request> requests,
                             Judgement judgement)
{
    while (judgement.to_be_written) {
        Attempt const attempt = write_unless_beaten(store, path, requests, judgement);
        if (attempt.stored)
            break;
        shared::count(store.schema, shared::Noun::append, shared::Outcome::waited);
        Judgement next = judge(store, requests);
        if (attempt.error && next.to_be_written && next.same_heads(judgement))
            throw *attempt.error;
        judgement = std::move(next);
    }
    return std::move(judgement.answers);
}

std::vector<Appended> try_append_in_order(store::Store &store, std::span<const Request> requests,
                                          Refusal refusal)
{
    for (const Request &request : requests)
        check(request);
    queue(store, requests);
    Judgement judgement = judge(store, requests);
    Path const path = choose_path(store);
    std::vector<Appended> answers;
    if (judgement.to_be_written && path == Path::direct &&
        !may_go_on_after_defeat(requests, refusal))
        answers = {write_or_lose(store, requests.front(), judgement.heads.front())};
    else
        answers = settle(store, path, requests, std::move(judgement));
    count(store, answers);
    return answers;
}

using Order = std::vector<std::size_t>;

// The entity locks' order, which is the same for everybody.
Order lock_order(std::span<const Request> requests)
{
    Order order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return std::pair(pg::lock_key(requests[i].stream), requests[i].stream);
    });
    auto const same =
        std::ranges::adjacent_find(order, {}, [&](std::size_t i) { return requests[i].stream; });
    if (same != order.end())
        throw Failure(sqlstate::kInvalidParameterValue,
                      "stream \"" + std::string(requests[*same].stream) + "\" is named twice", {},
                      "Put all events for a stream into one element.");
    return order;
}

} // namespace

store::StorePtr open_for_append(std::string_view name)
{
    for (;;) {
        store::StorePtr store = store::open_for_writing(name);
        pg::require_privileges(store->events, pg::Privileges::select_and_insert);
        pg::lock_table_for_writing(store->events);
        if (store::is_current(*store))
            return store;
    }
}

std::vector<Appended> try_append(store::Store &store, std::span<const Request> requests,
                                 Refusal refusal)
{
    if (requests.size() == 1)
        return try_append_in_order(store, requests, refusal);
    Order const order = lock_order(requests);
    std::vector<Request> ordered;
    for (std::size_t i : order)
        ordered.push_back(requests[i]);
    auto const answers = try_append_in_order(store, ordered, refusal);
    std::vector<Appended> as_named(answers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        as_named[order[i]] = answers[i];
    return as_named;
}

bool append_behind(store::Store &store, std::string_view stream, const Head &head,
                   std::span<const NewEvent> events)
{
    Request const request{
        .stream = stream, .expected = Expectation::from(head.revision), .events = events};
    check(request);
    Judgement const judgement{.heads = {head}, .answers = {}, .to_be_written = true};
    Attempt const attempt =
        write_unless_beaten(store, choose_path(store), {&request, 1}, judgement);
    if (attempt.error && find_head(store, stream).revision == head.revision)
        throw *attempt.error;
    shared::count(store.schema, shared::Noun::append,
                  attempt.stored ? shared::Outcome::done : shared::Outcome::conflict);
    return attempt.stored;
}

std::vector<Appended> append(store::Store &store, std::span<const Request> requests)
{
    std::vector<Appended> answers = try_append(store, requests, Refusal::is_error);
    refuse_if_any(requests, answers);
    return answers;
}

std::int64_t append(store::Store &store, const Request &request)
{
    return append(store, std::span(&request, 1)).front().revision;
}

} // namespace arbiter::log
