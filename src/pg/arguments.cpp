#include "pg/arguments.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/guard.hpp"
#include "pg/text.hpp"

namespace arbiter::pg {

void Arguments::require(int n, const char *name) const
{
    if (is_null(n))
        throw Failure(sqlstate::kNullValueNotAllowed,
                      std::string("argument \"") + name + "\" must not be null");
}

std::string_view Arguments::text(int n, const char *name) const
{
    require(n, name);
    return text_view(fcinfo_->args[n].value);
}

std::optional<std::string_view> Arguments::optional_text(int n) const
{
    return is_null(n) ? std::nullopt : std::optional(text_view(fcinfo_->args[n].value));
}

std::int64_t Arguments::bigint(int n, const char *name) const
{
    require(n, name);
    return DatumGetInt64(fcinfo_->args[n].value);
}

std::optional<std::int64_t> Arguments::optional_bigint(int n) const
{
    return is_null(n) ? std::nullopt
                      : std::optional<std::int64_t>(DatumGetInt64(fcinfo_->args[n].value));
}

bool Arguments::boolean(int n, const char *name) const
{
    require(n, name);
    return DatumGetBool(fcinfo_->args[n].value);
}

Uuid Arguments::uuid(int n, const char *name) const
{
    require(n, name);
    return *optional_uuid(n);
}

std::optional<Uuid> Arguments::optional_uuid(int n) const
{
    if (is_null(n))
        return std::nullopt;
    Uuid uuid;
    static_assert(sizeof(uuid.octets) == UUID_LEN);
    memcpy(uuid.octets.data(), DatumGetUUIDP(fcinfo_->args[n].value)->data, UUID_LEN);
    return uuid;
}

Datum Arguments::jsonb(int n, const char *name) const
{
    require(n, name);
    Datum const value = fcinfo_->args[n].value;
    return call([value] { return PointerGetDatum(PG_DETOAST_DATUM(value)); });
}

std::optional<Datum> Arguments::optional_jsonb(int n) const
{
    return is_null(n) ? std::nullopt : std::optional(jsonb(n, ""));
}

Duration Arguments::duration(int n, const char *name) const
{
    require(n, name);
    return *optional_duration(n, name);
}

std::optional<Duration> Arguments::optional_duration(int n, const char *name) const
{
    if (is_null(n))
        return std::nullopt;
    const Interval &interval = *DatumGetIntervalP(fcinfo_->args[n].value);
    Duration const duration = duration_of(interval.month, interval.day, interval.time);
    if (duration < Duration::zero())
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::string("argument \"") + name + "\" must not be negative");
    return duration;
}

namespace {

struct Elements {
    Datum *values;
    bool *nulls;
    int count;
};

// 22004 where one is null.
Elements elements_of(Datum array, const char *name, Oid type)
{
    Elements const elements = call([=] {
        Elements found;
        int16 length;
        bool by_value;
        char alignment;
        get_typlenbyvalalign(type, &length, &by_value, &alignment);
        deconstruct_array(DatumGetArrayTypeP(array), type, length, by_value, alignment,
                          &found.values, &found.nulls, &found.count);
        return found;
    });
    for (int i = 0; i < elements.count; ++i)
        if (elements.nulls[i])
            throw Failure(sqlstate::kNullValueNotAllowed,
                          std::string("argument \"") + name + "\" must not hold a null",
                          "Element " + std::to_string(i + 1) + " is null.");
    return elements;
}

} // namespace

std::vector<std::string_view> Arguments::texts(int n, const char *name) const
{
    require(n, name);
    Elements const elements = elements_of(fcinfo_->args[n].value, name, TEXTOID);
    std::vector<std::string_view> texts;
    texts.reserve(static_cast<std::size_t>(elements.count));
    for (int i = 0; i < elements.count; ++i)
        texts.push_back(text_view(elements.values[i]));
    return texts;
}

std::vector<std::int64_t> Arguments::bigints(int n, const char *name) const
{
    require(n, name);
    Elements const elements = elements_of(fcinfo_->args[n].value, name, INT8OID);
    std::vector<std::int64_t> numbers;
    numbers.reserve(static_cast<std::size_t>(elements.count));
    for (int i = 0; i < elements.count; ++i)
        numbers.push_back(DatumGetInt64(elements.values[i]));
    return numbers;
}

Value Arguments::value(int n) const noexcept
{
    return is_null(n) ? Value::null() : Value::of(fcinfo_->args[n].value);
}

Datum text_datum(std::string_view text)
{
    constexpr std::size_t kMostBytes = MaxAllocSize - VARHDRSZ;
    if (text.size() > kMostBytes)
        throw Failure(sqlstate::kProgramLimitExceeded,
                      "text of " + std::to_string(text.size()) + " bytes is too long for a value",
                      "The limit is " + std::to_string(kMostBytes) + " bytes.");
    return call([text] {
        return PointerGetDatum(
            cstring_to_text_with_len(text.data(), static_cast<int>(text.size())));
    });
}

Datum uuid_datum(const Uuid &uuid)
{
    // The one way to take memory that cannot raise: pg::call would be half the price of an id.
    void *const copy = palloc_extended(sizeof(pg_uuid_t), MCXT_ALLOC_NO_OOM);
    if (copy == nullptr)
        throw std::bad_alloc();
    memcpy(copy, uuid.octets.data(), UUID_LEN);
    return PointerGetDatum(copy);
}

Datum return_null(FunctionCallInfo fcinfo) noexcept
{
    fcinfo->isnull = true;
    return 0;
}

} // namespace arbiter::pg
