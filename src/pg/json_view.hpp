// Looking into a jsonb argument without turning it into text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pg/types.hpp"

struct JsonbValue;

namespace arbiter::pg {

// A value inside a jsonb datum; lives as long as the datum and the memory context it was made in.
class JsonView {
public:
    static JsonView of(Datum jsonb);

    bool is_object() const noexcept;
    bool is_array() const noexcept;
    bool is_null() const noexcept;
    // What messages call it: object, array, string, number, boolean, null.
    const char *kind() const noexcept;
    std::optional<std::string_view> string() const noexcept;
    // Nothing if it is no number, or none that a bigint holds.
    std::optional<std::int64_t> bigint() const;

    std::size_t size() const noexcept; // of an array or object
    std::vector<JsonView> elements() const;
    std::optional<JsonView> find(std::string_view key) const;
    std::vector<std::string_view> keys() const;

    // As a jsonb datum of its own.
    Datum datum() const;

private:
    explicit JsonView(JsonbValue *value) noexcept : value_(value) {}
    JsonbValue *value_;
};

} // namespace arbiter::pg
