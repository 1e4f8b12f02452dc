// A server error in flight as a C++ exception.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "base/sqlstate.hpp"

struct ErrorData;

namespace arbiter::pg {

// Owns a copy of the ErrorData: SQLSTATE, detail, hint, context and names survive to pg::entry,
// which re-throws it to the server unchanged. Intentionally copyable: exceptions are.
class Error : public std::exception {
public:
    explicit Error(std::shared_ptr<ErrorData> data) noexcept : data_(std::move(data)) {}
    const char *what() const noexcept override;
    bool is(Sqlstate sqlstate) const noexcept;
    // Its five characters.
    std::string code() const;
    // Name of the violated constraint, empty if the error is about none.
    std::string_view constraint() const noexcept;
    const ErrorData &data() const noexcept { return *data_; }

private:
    std::shared_ptr<ErrorData> data_;
};

} // namespace arbiter::pg
