#include "identity/golden_vector.hpp"

#include "base/digest.hpp"
#include "base/failure.hpp"
#include "identity/diagnosis.hpp"
#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

[[noreturn]] void refuse(std::string message, std::string detail = {}, std::string hint = {})
{
    throw Failure(sqlstate::kInvalidParameterValue, std::move(message), std::move(detail),
                  std::move(hint));
}

const Json &member(const Json &object, const std::string &what, std::string_view key,
                   Json::Kind kind)
{
    const Json *found = object.find(key);
    if (found == nullptr || !found->is(kind))
        refuse(what + " needs the key \"" + std::string(key) + "\" with a JSON " +
               std::string(kind_name(kind)));
    return *found;
}

std::string read_origin(const Json &json, const std::string &what)
{
    const std::string &origin = member(json, what, "origin", Json::Kind::string).text;
    if (origin.find_first_not_of(' ') == std::string::npos || origin.starts_with("arbiter"))
        refuse(what + " has the origin \"" + origin + '"',
               "A vector computed by the extension itself proves nothing.",
               "Compute it with the code that mints these ids today and say what that is, such as "
               "\"node 20, npm uuid 9\".");
    return origin;
}

GoldenVector parse_vector(const Spec &spec, const Json &json, const std::string &what, bool sealed)
{
    if (!json.is(Json::Kind::object))
        refuse(what + " is not an object");
    for (const std::string &key : json.keys)
        if (key != "args" && key != "uuid" && (sealed || (key != "origin" && key != "hashed_name")))
            refuse(std::string(what).append(" has an unknown key \"").append(key).append("\""));
    const std::string &text = member(json, what, "uuid", Json::Kind::string).text;
    const std::optional<Uuid> uuid = parse_uuid(text);
    if (!uuid)
        refuse(what + " has the uuid \"" + text + '"');
    std::optional<std::string> hashed_name;
    if (json.find("hashed_name") != nullptr)
        hashed_name = member(json, what, "hashed_name", Json::Kind::string).text;
    return {Arguments(spec, member(json, what, "args", Json::Kind::object)), *uuid,
            sealed ? std::string() : read_origin(json, what), std::move(hashed_name)};
}

// Readable as text and exact as octets.
std::string show(std::string_view octets)
{
    return "\\x" + to_hex(octets);
}

std::string explain_difference(const GoldenVector &vector, const Spec &spec,
                               const std::string &name)
{
    std::string detail = "Hashed here: " + name + " = " + show(name) + ".";
    if (vector.hashed_name && *vector.hashed_name != name)
        detail += " Hashed there: " + *vector.hashed_name + " = " + show(*vector.hashed_name) + ".";
    if (const auto diagnosis = diagnose(spec, vector.args.values(), vector.uuid))
        detail += " The other id comes from " + diagnosis->construction + ": " +
                  show(diagnosis->octets) + ".";
    return detail;
}

} // namespace

std::vector<GoldenVector> parse_vectors(const Spec &spec, const Json &vectors)
{
    if (!vectors.is(Json::Kind::array))
        refuse("vectors is not an array but " + std::string(kind_name(vectors.kind)), {},
               "Write vectors as one JSON array, such as "
               "[{\"args\":{...},\"uuid\":\"...\",\"origin\":\"node 20, npm uuid 9\"}].");
    if (vectors.items.empty())
        refuse("a derivation needs a golden vector",
               "Only an id that another runtime computed shows that both mean the same.");
    std::vector<GoldenVector> result;
    result.reserve(vectors.items.size());
    for (const Json &json : vectors.items)
        result.push_back(
            parse_vector(spec, json, "vector " + std::to_string(result.size() + 1), false));
    return result;
}

std::string canonical_text(const std::vector<GoldenVector> &vectors)
{
    std::string out;
    for (const GoldenVector &vector : vectors) {
        out += out.empty() ? '[' : ',';
        out += sealed_text(vector);
        out.back() = ',';
        out += "\"origin\":";
        append_json_string(out, vector.origin);
        if (vector.hashed_name) {
            out += ",\"hashed_name\":";
            append_json_string(out, *vector.hashed_name);
        }
        out += '}';
    }
    return out + ']';
}

std::string sealed_text(const GoldenVector &vector)
{
    return "{\"args\":" + vector.args.canonical_text() + ",\"uuid\":\"" + to_string(vector.uuid) +
           "\"}";
}

GoldenVector parse_sealed(const Spec &spec, std::string_view text)
{
    return parse_vector(spec, read_json(text), "sealed vector", true);
}

void check_vector(Derivation &derivation, const GoldenVector &vector, std::size_t number)
{
    const std::string name(derivation.name(vector.args.values()));
    const Uuid id = derivation.id(vector.args.values());
    const bool same_name = !vector.hashed_name || *vector.hashed_name == name;
    if (id == vector.uuid && same_name)
        return;
    const std::string what = "vector " + std::to_string(number);
    throw Failure(sqlstate::kDerivationDrift,
                  id == vector.uuid ? what + " has the right id and another name"
                                    : what + " says " + to_string(vector.uuid) +
                                          ", computed here is " + to_string(id),
                  explain_difference(vector, derivation.spec(), name));
}

} // namespace arbiter::identity
