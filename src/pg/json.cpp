#include "pg/postgres.hpp"

#include "pg/json.hpp"

#include "pg/guard.hpp"
#include "pg/json_view.hpp"

namespace arbiter::pg {

bool json_equal(Datum left, Datum right)
{
    return call([=] {
        return compareJsonbContainers(&DatumGetJsonbP(left)->root, &DatumGetJsonbP(right)->root) ==
               0;
    });
}

bool json_is_object(Datum value)
{
    return call([=] {
        Jsonb *const json = DatumGetJsonbP(value);
        return JB_ROOT_IS_OBJECT(json);
    });
}

std::string json_text(Datum value)
{
    return call([=] {
        Jsonb *const json = DatumGetJsonbP(value);
        return static_cast<const char *>(JsonbToCString(nullptr, &json->root, VARSIZE(json)));
    });
}

Datum json_from_text(std::string_view text)
{
    return call([text] {
        return DirectFunctionCall1(jsonb_in, CStringGetDatum(pnstrdup(text.data(), text.size())));
    });
}

Datum empty_json_object()
{
    return call([] {
        JsonbParseState *state = nullptr;
        pushJsonbValue(&state, WJB_BEGIN_OBJECT, nullptr);
        return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, nullptr)));
    });
}

namespace {

JsonbValue string_value(std::string_view text)
{
    JsonbValue value{};
    value.type = jbvString;
    value.val.string.len = static_cast<int>(text.size());
    value.val.string.val = const_cast<char *>(text.data());
    return value;
}

} // namespace

Datum json_string(std::string_view text)
{
    return call([text] {
        JsonbValue value = string_value(text);
        return JsonbPGetDatum(JsonbValueToJsonb(&value));
    });
}

Datum json_number(std::int64_t number)
{
    return call([number] {
        JsonbValue value{};
        value.type = jbvNumeric;
        value.val.numeric = int64_to_numeric(number);
        return JsonbPGetDatum(JsonbValueToJsonb(&value));
    });
}

Datum json_object(std::span<const JsonMember> members)
{
    return call([members] {
        JsonbParseState *state = nullptr;
        pushJsonbValue(&state, WJB_BEGIN_OBJECT, nullptr);
        for (const JsonMember &member : members) {
            JsonbValue key = string_value(member.key);
            pushJsonbValue(&state, WJB_KEY, &key);
            JsonbValue value;
            JsonbToJsonbValue(DatumGetJsonbP(member.value), &value);
            pushJsonbValue(&state, WJB_VALUE, &value);
        }
        return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, nullptr)));
    });
}

Datum json_merged(Datum left, Datum right)
{
    return call([=] { return DirectFunctionCall2(jsonb_concat, left, right); });
}

bool json_has(Datum object, std::string_view key)
{
    return JsonView::of(object).find(key).has_value();
}

} // namespace arbiter::pg
