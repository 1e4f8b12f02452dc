#include "derivation/explain.hpp"

#include "identity/injectivity.hpp"
#include "identity/json_string.hpp"

namespace arbiter::derivation {

namespace {

std::string octets_of(const Uuid &uuid)
{
    return {reinterpret_cast<const char *>(uuid.octets.data()), uuid.octets.size()};
}

void append_member(std::string &out, std::string_view key, std::string_view text)
{
    identity::append_json_string(out, key);
    out += ':';
    identity::append_json_string(out, text);
}

} // namespace

std::vector<identity::GoldenVector> accept(const identity::Spec &spec, const Json &vectors)
{
    identity::check_injective(spec);
    auto golden = identity::parse_vectors(spec, vectors);
    identity::Derivation derivation(spec);
    for (std::size_t i = 0; i < golden.size(); ++i)
        identity::check_vector(derivation, golden[i], i + 1);
    return golden;
}

std::vector<Step> explain(const Record &record, Json args)
{
    identity::Derivation derivation = identity::open_seal(record.seal);
    const identity::Spec &spec = derivation.spec();
    identity::Arguments const arguments(spec, std::move(args));
    std::vector<Step> steps;
    std::size_t i = 0;
    for (const identity::NormalPart &part : derivation.normalize(arguments.values())) {
        std::string text;
        identity::append_part(text, spec.layout, part);
        steps.push_back({"part", spec.parts[i++].name, text, text});
    }
    std::string const name(derivation.name(arguments.values()));
    Uuid const id = derivation.id(arguments.values());
    steps.push_back({"namespace", {}, to_string(spec.name_space), octets_of(spec.name_space)});
    steps.push_back({"name", {}, name, name});
    steps.push_back({"id", {}, to_string(id), octets_of(id)});
    return steps;
}

std::string export_text(const Record &record)
{
    identity::Derivation derivation = identity::open_seal(record.seal);
    std::string out = "{";
    append_member(out, "name", record.name);
    out += ",\"spec\":" + record.seal.spec + ",";
    append_member(out, "digest", record.seal.digest);
    out += ",\"supersedes\":";
    if (record.supersedes)
        identity::append_json_string(out, *record.supersedes);
    else
        out += "null";
    out += ",\"vectors\":";
    char separator = '[';
    for (const auto &vector : parse_vectors(derivation.spec(), read_json(record.vectors))) {
        out += separator;
        separator = ',';
        out += "{\"args\":" + vector.args.canonical_text() + ",";
        append_member(out, "hashed_name", derivation.name(vector.args.values()));
        out += ",";
        append_member(out, "uuid", to_string(vector.uuid));
        out += ",";
        append_member(out, "origin", vector.origin);
        out += "}";
    }
    return out + "]}";
}

} // namespace arbiter::derivation
