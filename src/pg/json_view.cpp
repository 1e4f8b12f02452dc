#include "pg/postgres.hpp"

#include "pg/json_view.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

JsonbContainer *container(const JsonbValue *value)
{
    return value->val.binary.data;
}

bool is_container(const JsonbValue *value)
{
    return value->type == jbvBinary;
}

} // namespace

JsonView JsonView::of(Datum jsonb)
{
    return JsonView(call([jsonb] {
        auto *const value = static_cast<JsonbValue *>(palloc(sizeof(JsonbValue)));
        JsonbToJsonbValue(DatumGetJsonbP(jsonb), value);
        // A lone scalar is kept as an array of one.
        if (JsonContainerIsScalar(value->val.binary.data))
            return getIthJsonbValueFromContainer(value->val.binary.data, 0);
        return value;
    }));
}

bool JsonView::is_object() const noexcept
{
    return is_container(value_) && JsonContainerIsObject(container(value_));
}

bool JsonView::is_array() const noexcept
{
    return is_container(value_) && JsonContainerIsArray(container(value_));
}

bool JsonView::is_null() const noexcept
{
    return value_->type == jbvNull;
}

const char *JsonView::kind() const noexcept
{
    switch (value_->type) {
    case jbvNull:
        return "null";
    case jbvString:
        return "a string";
    case jbvNumeric:
        return "a number";
    case jbvBool:
        return "a boolean";
    default:
        return is_array() ? "an array" : "an object";
    }
}

std::optional<std::string_view> JsonView::string() const noexcept
{
    if (value_->type != jbvString)
        return std::nullopt;
    return std::string_view(value_->val.string.val,
                            static_cast<std::size_t>(value_->val.string.len));
}

std::optional<std::int64_t> JsonView::bigint() const
{
    if (value_->type != jbvNumeric)
        return std::nullopt;
    struct Number {
        std::int64_t value;
        bool exact;
    };
    Number const number = call([this] {
        Numeric const numeric = value_->val.numeric;
        Datum const text = DirectFunctionCall1(numeric_out, NumericGetDatum(numeric));
        char *end = nullptr;
        errno = 0;
        std::int64_t const value = strtoll(DatumGetCString(text), &end, 10);
        return Number{value, errno == 0 && *end == '\0'};
    });
    return number.exact ? std::optional(number.value) : std::nullopt;
}

std::size_t JsonView::size() const noexcept
{
    return is_container(value_) ? JsonContainerSize(container(value_)) : 0;
}

std::vector<JsonView> JsonView::elements() const
{
    std::vector<JsonView> elements;
    std::size_t const count = size();
    elements.reserve(count);
    // One block of values, filled by one walk: asking for the n-th would walk from the start.
    JsonbValue *const values = call([this, count] {
        auto *const block =
            static_cast<JsonbValue *>(palloc_extended(count * sizeof(JsonbValue), MCXT_ALLOC_HUGE));
        JsonbIterator *walk = JsonbIteratorInit(container(value_));
        JsonbValue value;
        std::size_t filled = 0;
        for (JsonbIteratorToken token = JsonbIteratorNext(&walk, &value, true); token != WJB_DONE;
             token = JsonbIteratorNext(&walk, &value, true))
            if (token == WJB_ELEM)
                block[filled++] = value;
        return block;
    });
    for (std::size_t i = 0; i < count; ++i)
        elements.push_back(JsonView(&values[i]));
    return elements;
}

std::optional<JsonView> JsonView::find(std::string_view key) const
{
    JsonbValue *const found = call([this, key] {
        return getKeyJsonValueFromContainer(container(value_), key.data(),
                                            static_cast<int>(key.size()), nullptr);
    });
    return found ? std::optional(JsonView(found)) : std::nullopt;
}

std::vector<std::string_view> JsonView::keys() const
{
    std::vector<std::string_view> keys;
    struct Walk {
        JsonbIterator *iterator;
        JsonbValue value;
    } walk{call([this] { return JsonbIteratorInit(container(value_)); }), {}};
    for (;;) {
        JsonbIteratorToken const token =
            call([&walk] { return JsonbIteratorNext(&walk.iterator, &walk.value, true); });
        if (token == WJB_DONE)
            return keys;
        if (token == WJB_KEY)
            keys.emplace_back(walk.value.val.string.val,
                              static_cast<std::size_t>(walk.value.val.string.len));
    }
}

Datum JsonView::datum() const
{
    return call([this] { return JsonbPGetDatum(JsonbValueToJsonb(value_)); });
}

} // namespace arbiter::pg
