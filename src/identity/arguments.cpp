#include "identity/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/failure.hpp"
#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

[[noreturn]] void refuse(const Part &part, const std::string &what)
{
    throw Failure(sqlstate::kInvalidParameterValue, to_string(Place{part.name}) + " is " +
                                                        std::string(to_string(part.type)) +
                                                        " and cannot be read from " + what);
}

std::string describe(const Json &json)
{
    switch (json.kind) {
    case Json::Kind::number:
    case Json::Kind::string:
        return std::string(kind_name(json.kind)) + " \"" + json.text + '"';
    default:
        return "JSON " + std::string(kind_name(json.kind));
    }
}

std::int64_t read_integer(const Part &part, const Json &json)
{
    std::int64_t integer = 0;
    const char *end = json.text.data() + json.text.size();
    const auto result = std::from_chars(json.text.data(), end, integer);
    // "0 or -?[1-9][0-9]*": not 1.0, 1e3 or -0, which other readers turn into something else.
    if (result.ec != std::errc{} || result.ptr != end || json.text == "-0")
        refuse(part, describe(json));
    return integer;
}

void append_compact(std::string &out, const Json &json)
{
    switch (json.kind) {
    case Json::Kind::null:
        out += "null";
        return;
    case Json::Kind::boolean:
        out += json.boolean ? "true" : "false";
        return;
    case Json::Kind::number:
        out += json.text;
        return;
    case Json::Kind::string:
        return append_json_string(out, json.text);
    case Json::Kind::array:
        out += '[';
        for (const Json &item : json.items) {
            if (std::addressof(item) != std::addressof(json.items.front()))
                out += ',';
            append_compact(out, item);
        }
        out += ']';
        return;
    case Json::Kind::object: // no part's value is one
        return;
    }
}

} // namespace

Arguments::Arguments(const Spec &spec, Json args)
    : args_(std::move(args)), lists_(spec.parts.size())
{
    if (!args_.is(Json::Kind::object))
        throw Failure(sqlstate::kInvalidParameterValue,
                      "args is not an object but " + std::string(kind_name(args_.kind)));
    for (const Part &part : spec.parts) {
        const Json *member = args_.find(part.name);
        if (member == nullptr)
            throw Failure(sqlstate::kInvalidParameterValue,
                          "args lacks " + to_string(Place{part.name}));
        members_.push_back(member);
        names_.push_back(part.name);
        values_.push_back(read_value(part, *member));
    }
    for (const std::string &key : args_.keys)
        if (std::find(names_.begin(), names_.end(), key) == names_.end())
            throw Failure(sqlstate::kInvalidParameterValue,
                          "args has an unknown part \"" + key + '"');
}

Value Arguments::read_value(const Part &part, const Json &json)
{
    Value value;
    if (json.is(Json::Kind::null))
        return value;
    const auto expect = [&](Json::Kind kind) {
        if (!json.is(kind))
            refuse(part, describe(json));
    };
    value.null = false;
    switch (part.type) {
    case PartType::text:
        expect(Json::Kind::string);
        value.text = json.text;
        break;
    case PartType::uuid: {
        expect(Json::Kind::string);
        const std::optional<Uuid> uuid = parse_uuid(json.text);
        if (!uuid)
            refuse(part, describe(json));
        value.uuid = *uuid;
        break;
    }
    case PartType::bigint:
        expect(Json::Kind::number);
        value.integer = read_integer(part, json);
        break;
    case PartType::boolean:
        expect(Json::Kind::boolean);
        value.boolean = json.boolean;
        break;
    case PartType::text_list: {
        expect(Json::Kind::array);
        auto &list = lists_[values_.size()];
        for (const Json &item : json.items) {
            if (!item.is(Json::Kind::null) && !item.is(Json::Kind::string))
                refuse(part, "an array with " + describe(item) + " in it");
            list.push_back(item.is(Json::Kind::null) ? std::nullopt
                                                     : std::optional<std::string_view>(item.text));
        }
        value.texts = list;
    }
    }
    return value;
}

std::string Arguments::canonical_text() const
{
    std::string out;
    char separator = '{';
    for (std::size_t i = 0; i < names_.size(); ++i) {
        out += separator;
        append_json_string(out, names_[i]);
        out += ':';
        append_compact(out, *members_[i]);
        separator = ',';
    }
    out += '}';
    return out;
}

} // namespace arbiter::identity
