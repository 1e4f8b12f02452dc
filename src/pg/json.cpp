#include "pg/postgres.hpp"

#include "pg/json.hpp"

#include "pg/guard.hpp"

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

} // namespace arbiter::pg
