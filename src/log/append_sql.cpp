#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "log/append.hpp"
#include "log/event_json.hpp"

using namespace arbiter;

namespace {

std::string_view name(log::Outcome outcome)
{
    switch (outcome) {
    case log::Outcome::appended:
        return "appended";
    case log::Outcome::replayed:
        return "replayed";
    case log::Outcome::conflict:
        return "conflict";
    case log::Outcome::closed:
        return "closed";
    }
    return {};
}

} // namespace

ARBITER_FUNCTION(arbiter_append)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const expected = log::Expectation::from(arguments.bigint(2, "expected"));
    log::NewEvent const event{.type = arguments.text(3, "type"),
                              .data = arguments.jsonb(4, "data"),
                              .metadata = arguments.jsonb(5, "metadata"),
                              .id = arguments.optional_uuid(6)};
    pg::require_writable("arbiter.append()");
    auto const store = log::open_for_append(store_name);
    PG_RETURN_INT64(
        log::append(*store, {.stream = stream, .expected = expected, .events = {&event, 1}}));
}

ARBITER_FUNCTION(arbiter_append_events)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const expected = log::Expectation::from(arguments.bigint(2, "expected"));
    auto const events = log::parse_events(arguments.jsonb(3, "events"));
    pg::require_writable("arbiter.append_events()");
    auto const store = log::open_for_append(store_name);
    PG_RETURN_INT64(
        log::append(*store, {.stream = stream, .expected = expected, .events = events}));
}

ARBITER_FUNCTION(arbiter_append_if)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const stream = arguments.text(1, "stream");
    auto const expected = log::Expectation::from(arguments.bigint(2, "expected"));
    auto const events = log::parse_events(arguments.jsonb(3, "events"));
    pg::require_writable("arbiter.append_if()");
    auto const store = log::open_for_append(store_name);
    log::Request const request{.stream = stream, .expected = expected, .events = events};
    log::Appended const answer =
        log::try_append(*store, {&request, 1}, log::Refusal::is_answer).front();
    bool const refused =
        answer.outcome == log::Outcome::conflict || answer.outcome == log::Outcome::closed;
    return pg::row_datum(fcinfo, {name(answer.outcome),
                                  refused ? pg::Value::null() : pg::Value(answer.revision),
                                  answer.current});
}

ARBITER_FUNCTION(arbiter_append_streams)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const appends = log::parse_appends(arguments.jsonb(1, "appends"));
    pg::require_writable("arbiter.append_streams()");
    auto const store = log::open_for_append(store_name);
    auto const answers = log::append(*store, appends.requests);
    pg::ResultSet rows(fcinfo);
    for (std::size_t i = 0; i < answers.size(); ++i)
        rows.add({appends.requests[i].stream, answers[i].revision});
    return 0;
}
