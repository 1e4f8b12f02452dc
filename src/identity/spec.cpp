#include "identity/spec.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "base/failure.hpp"
#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

// PostgreSQL's limit for a name, which a part's name becomes.
constexpr std::size_t kMaxPartName = 63;

struct TypeName {
    std::string_view text;
    PartType type;
};

constexpr TypeName kTypeNames[] = {
    {"text", PartType::text},       {"uuid", PartType::uuid},        {"bigint", PartType::bigint},
    {"boolean", PartType::boolean}, {"text[]", PartType::text_list},
};

[[noreturn]] void refuse(std::string message, std::string detail = {}, std::string hint = {})
{
    throw Failure(sqlstate::kInvalidParameterValue, std::move(message), std::move(detail),
                  std::move(hint));
}

std::string quoted(std::string_view name)
{
    return '"' + std::string(name) + '"';
}

void allow_keys(const Json &object, const std::string &what,
                std::initializer_list<std::string_view> allowed)
{
    for (const std::string &key : object.keys)
        if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
            refuse(what + " has an unknown key " + quoted(key));
}

const std::string &string_member(const Json &object, const std::string &what, std::string_view key)
{
    const Json *member = object.find(key);
    if (member == nullptr)
        refuse(what + " lacks the key " + quoted(key));
    if (!member->is(Json::Kind::string))
        refuse("key " + quoted(key) + " of " + what + " is not a string");
    return member->text;
}

PartType parse_type(const std::string &what, std::string_view text)
{
    for (const TypeName &name : kTypeNames)
        if (name.text == text)
            return name.type;
    refuse(
        what + " has the type " + quoted(text),
        "The text of other types depends on settings, padding or scale, so it is no stable name.",
        "The types are text, uuid, bigint, boolean, text[].");
}

std::vector<std::string> string_list(const Json &object, const std::string &what,
                                     std::string_view key)
{
    std::vector<std::string> strings;
    const Json *list = object.find(key);
    if (list == nullptr)
        return strings;
    if (!list->is(Json::Kind::array))
        refuse("key " + quoted(key) + " of " + what + " is not an array");
    for (const Json &item : list->items) {
        if (!item.is(Json::Kind::string))
            refuse("key " + quoted(key) + " of " + what + " lists something that is not a string");
        strings.push_back(item.text);
    }
    return strings;
}

void check_steps(const Part &part)
{
    switch (part.type) {
    case PartType::text_list:
        return check_list_steps(part.each, part.set);
    case PartType::text:
        check_text_steps(part.each);
        if (!part.set.empty())
            refuse("set steps are for lists");
        for (const Step &step : part.each)
            if (step.kind == StepKind::drop_empty)
                refuse("drop_empty is for lists", {}, "refuse_empty refuses an empty text.");
        return;
    case PartType::uuid:
    case PartType::bigint:
    case PartType::boolean:
        if (!part.each.empty() || !part.set.empty())
            refuse("steps are for text and text[]");
    }
}

Part parse_part(const Json &json, std::size_t number)
{
    std::string what = "part " + std::to_string(number);
    if (!json.is(Json::Kind::object))
        refuse(what + " is not an object");
    allow_keys(json, what, {"name", "type", "each", "set"});
    Part part{string_member(json, what, "name"), PartType::text, {}, {}};
    if (!is_name(part.name))
        refuse(what + " has the name " + quoted(part.name), {},
               "A part is named with lower-case ASCII letters, digits and underscores, at most " +
                   std::to_string(kMaxPartName) + " of them, not beginning with a digit.");
    what = "part " + quoted(part.name);
    part.type = parse_type(what, string_member(json, what, "type"));
    const std::vector<std::string> each = string_list(json, what, "each");
    const std::vector<std::string> set = string_list(json, what, "set");
    try {
        std::transform(each.begin(), each.end(), std::back_inserter(part.each), parse_step);
        std::transform(set.begin(), set.end(), std::back_inserter(part.set), parse_set_step);
        check_steps(part);
    } catch (const Failure &failure) {
        throw Failure(failure.sqlstate(), what + ": " + failure.message(), failure.detail(),
                      failure.hint());
    }
    return part;
}

template <typename Steps>
void append_steps(std::string &out, std::string_view key, const Steps &steps)
{
    if (steps.empty())
        return;
    out += ",\"";
    out += key;
    out += "\":";
    char separator = '[';
    for (const auto &step : steps) {
        out += separator;
        append_json_string(out, to_string(step));
        separator = ',';
    }
    out += ']';
}

} // namespace

bool is_name(std::string_view text) noexcept
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !text.empty() && text.size() <= kMaxPartName && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string_view to_string(PartType type) noexcept
{
    return std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                        [type](const TypeName &name) { return name.type == type; })
        ->text;
}

std::string_view to_string(Layout layout) noexcept
{
    switch (layout) {
    case Layout::json:
        return "json";
    case Layout::prefix:
        return "prefix";
    }
    return "unknown";
}

Layout parse_layout(std::string_view text)
{
    for (const Layout layout : {Layout::json, Layout::prefix})
        if (to_string(layout) == text)
            return layout;
    refuse("unknown layout " + quoted(text), {}, "The layouts are json and prefix.");
}

std::vector<Part> parse_parts(const Json &parts)
{
    if (!parts.is(Json::Kind::array))
        refuse("parts is not an array but " + std::string(kind_name(parts.kind)), {},
               "Write parts as one JSON array, such as [{\"name\":\"id\",\"type\":\"uuid\"}].");
    if (parts.items.empty() || parts.items.size() > kMaxParts)
        refuse("a derivation has between 1 and " + std::to_string(kMaxParts) + " parts, not " +
               std::to_string(parts.items.size()));
    std::vector<Part> result;
    for (const Json &json : parts.items) {
        Part part = parse_part(json, result.size() + 1);
        for (const Part &other : result)
            if (other.name == part.name)
                refuse("two parts have the name " + quoted(part.name));
        result.push_back(std::move(part));
    }
    return result;
}

std::string canonical_text(const Spec &spec)
{
    std::string out =
        "{\"format\":1,\"namespace\":\"" + to_string(spec.name_space) + "\",\"layout\":\"";
    out += to_string(spec.layout);
    out += "\",\"parts\":";
    char separator = '[';
    for (const Part &part : spec.parts) {
        out += separator;
        out += "{\"name\":";
        append_json_string(out, part.name);
        out += ",\"type\":\"";
        out += to_string(part.type);
        out += '"';
        append_steps(out, "each", part.each);
        append_steps(out, "set", part.set);
        out += '}';
        separator = ',';
    }
    out += "]}";
    return out;
}

Spec parse_spec(std::string_view canonical)
{
    const std::string what = "derivation spec";
    const Json json = read_json(canonical);
    if (!json.is(Json::Kind::object))
        refuse(what + " is not an object");
    allow_keys(json, what, {"format", "namespace", "layout", "parts"});
    const Json *format = json.find("format");
    if (format == nullptr || !format->is(Json::Kind::number) || format->text != "1")
        refuse(what + " has a format that this library does not know", {},
               "It was made by a newer version of the extension.");
    const std::string &name_space = string_member(json, what, "namespace");
    const std::optional<Uuid> uuid = parse_uuid(name_space);
    if (!uuid)
        refuse(what + " has the namespace " + quoted(name_space));
    const Json *parts = json.find("parts");
    if (parts == nullptr)
        refuse(what + " lacks the key \"parts\"");
    return {*uuid, parse_layout(string_member(json, what, "layout")), parse_parts(*parts)};
}

} // namespace arbiter::identity
