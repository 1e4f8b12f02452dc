// The arguments of an SQL call, taken by position and named in the refusal when null.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "pg/postgres.hpp"

#include "base/duration.hpp"
#include "base/uuid.hpp"
#include "pg/spi.hpp"

namespace arbiter::pg {

// Functions are not STRICT: NULL where it makes no sense is an error (22004), never a silent NULL.
// Views point into the call's memory and live as long as the call.
class Arguments {
public:
    explicit Arguments(FunctionCallInfo fcinfo) noexcept : fcinfo_(fcinfo) {}

    bool is_null(int n) const noexcept { return fcinfo_->args[n].isnull; }
    std::string_view text(int n, const char *name) const;
    std::optional<std::string_view> optional_text(int n) const;
    std::int64_t bigint(int n, const char *name) const;
    std::optional<std::int64_t> optional_bigint(int n) const;
    bool boolean(int n, const char *name) const;
    Uuid uuid(int n, const char *name) const;
    std::optional<Uuid> optional_uuid(int n) const;
    // Detoasted, so that it can be compared and stored without another look-up.
    Datum jsonb(int n, const char *name) const;
    std::optional<Datum> optional_jsonb(int n) const;
    // An interval as a length of time; 22023 where it is negative.
    Duration duration(int n, const char *name) const;
    std::optional<Duration> optional_duration(int n, const char *name) const;
    // 22004 for a null element too. The dimensions do not matter.
    std::vector<std::string_view> texts(int n, const char *name) const;
    std::vector<std::int64_t> bigints(int n, const char *name) const;

    // In the server's own form, to be handed on.
    Value value(int n) const noexcept;

private:
    void require(int n, const char *name) const;
    FunctionCallInfo fcinfo_;
};

// Values on their way out; allocated in the current memory context.
Datum text_datum(std::string_view text);
Datum uuid_datum(const Uuid &uuid);
Datum return_null(FunctionCallInfo fcinfo) noexcept;

} // namespace arbiter::pg
