#include "derivation/record.hpp"

#include "base/digest.hpp"
#include "base/quote.hpp"
#include "identity/json_string.hpp"

namespace arbiter::derivation {

namespace {

// A constant that means the same whatever standard_conforming_strings says, since the body is
// parsed again in every session that calls it.
std::string dollar_quote(std::string_view text)
{
    std::string const tag = dollar_tag("arbiter", text);
    return tag + std::string(text) + tag;
}

std::string sql_type(identity::PartType type)
{
    switch (type) {
    case identity::PartType::bigint:
        return "pg_catalog.int8";
    case identity::PartType::boolean:
        return "pg_catalog.bool";
    case identity::PartType::text:
    case identity::PartType::uuid:
    case identity::PartType::text_list:
        break;
    }
    return "pg_catalog." + std::string(to_string(type));
}

template <typename Show>
std::string join_parts(const identity::Spec &spec, Show show)
{
    std::string list;
    for (const identity::Part &part : spec.parts) {
        list += list.empty() ? "" : ", ";
        list += show(part);
    }
    return list;
}

} // namespace

Record make_record(std::string_view name, const identity::Spec &spec,
                   const std::vector<identity::GoldenVector> &vectors,
                   std::optional<std::string_view> supersedes)
{
    Record record{.name = std::string(name),
                  .seal = identity::seal(spec, vectors.front()),
                  .vectors = identity::canonical_text(vectors),
                  .supersedes = std::optional<std::string>(supersedes),
                  .digest = {}};
    record.digest = digest_of(record);
    return record;
}

std::string digest_of(const Record &record)
{
    // As a JSON array, so that no field can pass for a part of its neighbour.
    std::string const supersedes = record.supersedes.value_or("");
    std::string text;
    std::string_view const fields[] = {record.name,        record.seal.spec, record.seal.vector,
                                       record.seal.digest, record.vectors,   supersedes};
    identity::append_json_array(text, fields);
    return to_hex(sha256(text));
}

std::string function_body(const Record &record, std::size_t parts)
{
    std::string body = "SELECT arbiter.derived_id(" + dollar_quote(record.seal.spec) + ", " +
                       dollar_quote(record.seal.vector) + ", " + dollar_quote(record.seal.digest);
    for (std::size_t i = 1; i <= parts; ++i)
        body += ", $" + std::to_string(i);
    return body + ")";
}

std::string function_definition(std::string_view create, std::string_view store,
                                const Record &record, const identity::Spec &spec)
{
    std::string const arguments = join_parts(spec, [](const identity::Part &part) {
        return quote_identifier(part.name) + " " + sql_type(part.type);
    });
    return std::string(create) + " FUNCTION " + quote_identifier(store) + "." +
           quote_identifier(record.name) + "(" + arguments +
           ") RETURNS pg_catalog.uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS " +
           quote_literal(function_body(record, spec.parts.size()));
}

std::string sql_types(const identity::Spec &spec)
{
    return join_parts(spec, [](const identity::Part &part) { return sql_type(part.type); });
}

std::string argument_names(const identity::Spec &spec)
{
    return join_parts(spec, [](const identity::Part &part) { return part.name; });
}

} // namespace arbiter::derivation
