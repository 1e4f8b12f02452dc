#include "log/event_json.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/failure.hpp"
#include "pg/json.hpp"
#include "pg/json_view.hpp"

namespace arbiter::log {

namespace {

// Where in the argument something stands; put into words only when something is wrong with it.
struct Place {
    std::string_view array;
    std::size_t index;
    std::string name() const
    {
        return "element " + std::to_string(index) + " of " + std::string(array);
    }
};

[[noreturn]] void refuse(const Place &where, const std::string &what)
{
    throw Failure(sqlstate::kInvalidParameterValue, where.name() + " " + what);
}

std::vector<pg::JsonView> elements_of(const pg::JsonView &array, std::string_view name,
                                      const char *example)
{
    if (!array.is_array())
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::string(name) + " must be a JSON array, not " + array.kind(), {},
                      std::string("Pass one jsonb value such as ") + example +
                          "; a PostgreSQL array of jsonb is something else.");
    return array.elements();
}

// An object with these keys and no other: a misspelt key would otherwise be lost in silence.
template <std::size_t N>
void require_keys(const pg::JsonView &element, const Place &where,
                  const std::array<std::string_view, N> &known)
{
    if (!element.is_object())
        refuse(where, std::string("must be a JSON object, not ") + element.kind());
    std::size_t const found = static_cast<std::size_t>(std::ranges::count_if(
        known, [&](std::string_view key) { return element.find(key).has_value(); }));
    if (found == element.size())
        return;
    for (std::string_view key : element.keys())
        if (std::ranges::find(known, key) == known.end())
            refuse(where, "has an unknown key \"" + std::string(key) + "\"");
}

pg::JsonView require(const pg::JsonView &element, const Place &where, std::string_view key)
{
    auto const value = element.find(key);
    if (!value)
        refuse(where, "has no \"" + std::string(key) + "\"");
    return *value;
}

std::string_view require_string(const pg::JsonView &element, const Place &where,
                                std::string_view key)
{
    pg::JsonView const value = require(element, where, key);
    auto const string = value.string();
    if (!string)
        refuse(where, "needs a string as \"" + std::string(key) + "\", not " + value.kind());
    return *string;
}

Uuid parse_id(const pg::JsonView &id, const Place &where)
{
    auto const string = id.string();
    auto const uuid = string ? parse_uuid(*string) : std::nullopt;
    if (!uuid)
        refuse(where, "needs a uuid as \"id\", not " +
                          (string ? "\"" + std::string(*string) + "\"" : id.kind()));
    return *uuid;
}

NewEvent parse_event(const pg::JsonView &element, const Place &where, Datum no_metadata)
{
    static constexpr std::array<std::string_view, 4> kKeys{"type", "data", "metadata", "id"};
    require_keys(element, where, kKeys);
    auto const metadata = element.find("metadata");
    if (metadata && !metadata->is_object())
        refuse(where, std::string("needs an object as \"metadata\", not ") + metadata->kind());
    auto const id = element.find("id");
    return {.type = require_string(element, where, "type"),
            .data = require(element, where, "data").datum(),
            .metadata = metadata ? metadata->datum() : no_metadata,
            .id = id ? std::optional(parse_id(*id, where)) : std::nullopt};
}

std::vector<NewEvent> parse_batch(const pg::JsonView &array, std::string_view name)
{
    std::vector<NewEvent> events;
    Datum const no_metadata = pg::empty_json_object();
    auto const elements =
        elements_of(array, name, R"('[{"type": "Registered", "data": {}}]'::jsonb)");
    events.reserve(elements.size());
    for (const pg::JsonView &element : elements)
        events.push_back(parse_event(element, {name, events.size()}, no_metadata));
    return events;
}

} // namespace

std::vector<NewEvent> parse_events(Datum events, std::string_view name)
{
    return parse_batch(pg::JsonView::of(events), name);
}

Appends parse_appends(Datum appends)
{
    static constexpr std::array<std::string_view, 3> kKeys{"stream", "expected", "events"};
    Appends parsed;
    auto const elements = elements_of(pg::JsonView::of(appends), "appends",
                                      R"('[{"stream": "a", "expected": 0, "events": []}]'::jsonb)");
    parsed.batches.reserve(elements.size());
    for (const pg::JsonView &element : elements) {
        Place const where{"appends", parsed.requests.size()};
        require_keys(element, where, kKeys);
        pg::JsonView const expected = require(element, where, "expected");
        auto const revision = expected.bigint();
        if (!revision)
            refuse(where, std::string("needs a revision as \"expected\", not ") + expected.kind());
        parsed.batches.push_back(
            parse_batch(require(element, where, "events"), "events of " + where.name()));
        parsed.requests.push_back({.stream = require_string(element, where, "stream"),
                                   .expected = Expectation::from(*revision),
                                   .events = parsed.batches.back()});
    }
    return parsed;
}

} // namespace arbiter::log
