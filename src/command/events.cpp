#include "command/events.hpp"

#include <string>

#include "base/failure.hpp"
#include "base/uuid_v5.hpp"
#include "command/key.hpp"
#include "pg/json.hpp"

namespace arbiter::command {

namespace {

constexpr std::string_view kCausation = "$causation_id";

Datum with_member(Datum object, std::string_view key, Datum value)
{
    pg::JsonMember const member{key, value};
    return pg::json_merged(object, pg::json_object({&member, 1}));
}

// For every event, before what the event itself says.
Datum common_metadata(const Command &command)
{
    if (!command.id || pg::json_has(command.metadata, kCausation))
        return command.metadata;
    return with_member(command.metadata, kCausation, pg::json_string(to_string(*command.id)));
}

void refuse_own_id(std::size_t n)
{
    throw Failure(sqlstate::kInvalidParameterValue,
                  "element " + std::to_string(n) + " of the decision must not have an \"id\"",
                  "The ids of a command's events follow from the command's id.",
                  "Let decide leave the ids out, or call arbiter.handle without command_id.");
}

void refuse_own_key(const std::string &whose)
{
    throw Failure(sqlstate::kInvalidParameterValue, whose + " must not have the member \"$key\"",
                  "It would be taken for the natural key of the stream.",
                  "Give the natural key to arbiter.handle as key.");
}

} // namespace

void require_no_key(Datum metadata)
{
    if (pg::json_has(metadata, kKeyMember))
        refuse_own_key("metadata");
}

Uuid event_id(const Uuid &command, std::size_t n)
{
    return uuid_v5(command, std::to_string(n));
}

void stamp(std::vector<log::NewEvent> &events, const Command &command, std::optional<Datum> key)
{
    Datum const common = common_metadata(command);
    for (std::size_t n = 0; n < events.size(); ++n) {
        log::NewEvent &event = events[n];
        if (pg::json_has(event.metadata, kKeyMember))
            refuse_own_key("the metadata of element " + std::to_string(n) + " of the decision");
        event.metadata = pg::json_merged(common, event.metadata);
        if (!command.id)
            continue;
        if (event.id)
            refuse_own_id(n);
        event.id = event_id(*command.id, n);
    }
    if (key && !events.empty())
        events.front().metadata = with_member(events.front().metadata, kKeyMember, *key);
}

} // namespace arbiter::command
