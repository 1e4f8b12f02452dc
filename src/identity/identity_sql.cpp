#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/text_array.hpp"

#include "base/failure.hpp"
#include "base/uuid_v5.hpp"
#include "identity/json_string.hpp"
#include "identity/sealed_derivation.hpp"

using namespace arbiter;

namespace {

void require_flat(int dimensions, const std::string &what)
{
    if (dimensions > 1)
        throw Failure(sqlstate::kInvalidParameterValue,
                      what + " has " + std::to_string(dimensions) + " dimensions",
                      "A list of texts has one: flattened, different arrays would be the same.");
}

Oid type_of(identity::PartType type) noexcept
{
    switch (type) {
    case identity::PartType::text:
        return TEXTOID;
    case identity::PartType::uuid:
        return UUIDOID;
    case identity::PartType::bigint:
        return INT8OID;
    case identity::PartType::boolean:
        return BOOLOID;
    case identity::PartType::text_list:
        return TEXTARRAYOID;
    }
    return InvalidOid;
}

constexpr int kFirstPart = 3;

// VARIADIC "any" takes whatever it is given: here is where the types are checked.
void check_types(FunctionCallInfo fcinfo, const identity::Spec &spec)
{
    bool matches = static_cast<std::size_t>(PG_NARGS()) == spec.parts.size() + kFirstPart;
    for (std::size_t i = 0; matches && i < spec.parts.size(); ++i)
        matches = get_fn_expr_argtype(fcinfo->flinfo, static_cast<int>(i) + kFirstPart) ==
                  type_of(spec.parts[i].type);
    if (!matches)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "the parts given are not those of the derivation", {},
                      "Call the function that arbiter.create_derivation made.");
}

identity::Value read_value(FunctionCallInfo fcinfo, int n, const identity::Part &part,
                           std::vector<std::optional<std::string_view>> &list)
{
    pg::Arguments const arguments(fcinfo);
    identity::Value value;
    if (arguments.is_null(n))
        return value;
    value.null = false;
    switch (part.type) {
    case identity::PartType::text:
        value.text = arguments.text(n, "");
        break;
    case identity::PartType::uuid:
        value.uuid = arguments.uuid(n, "");
        break;
    case identity::PartType::bigint:
        value.integer = arguments.bigint(n, "");
        break;
    case identity::PartType::boolean:
        value.boolean = arguments.boolean(n, "");
        break;
    case identity::PartType::text_list:
        require_flat(pg::read_text_array(fcinfo->args[n].value, list),
                     to_string(identity::Place{part.name}));
        value.texts = list;
    }
    return value;
}

} // namespace

// text and bytea are the same to C: octets.
ARBITER_FUNCTION(arbiter_uuid_v5)
{
    pg::Arguments const arguments(fcinfo);
    return pg::uuid_datum(uuid_v5(arguments.uuid(0, "namespace"), arguments.text(1, "name")));
}

ARBITER_FUNCTION(arbiter_canonical_strings)
{
    if (PG_ARGISNULL(0))
        throw Failure(sqlstate::kNullValueNotAllowed, "argument \"texts\" must not be null");
    std::vector<std::optional<std::string_view>> elements;
    require_flat(pg::read_text_array(PG_GETARG_DATUM(0), elements), "argument \"texts\"");
    std::vector<std::string_view> texts;
    texts.reserve(elements.size());
    for (const auto &element : elements) {
        if (!element)
            throw Failure(sqlstate::kNullValueNotAllowed, "argument \"texts\" must not hold a null",
                          "Element " + std::to_string(texts.size() + 1) + " is null.");
        texts.push_back(*element);
    }
    std::string json;
    identity::append_json_array(json, texts);
    return pg::text_datum(json);
}

ARBITER_FUNCTION(arbiter_derived_id)
{
    pg::Arguments const arguments(fcinfo);
    identity::SealedDerivation &sealed = identity::open_sealed(
        arguments.text(0, "spec"), arguments.text(1, "vector"), arguments.text(2, "digest"));
    const identity::Spec &spec = sealed.derivation.spec();
    check_types(fcinfo, spec);
    for (std::size_t i = 0; i < spec.parts.size(); ++i)
        sealed.values[i] =
            read_value(fcinfo, static_cast<int>(i) + kFirstPart, spec.parts[i], sealed.lists[i]);
    return pg::uuid_datum(sealed.derivation.id(sealed.values));
}
