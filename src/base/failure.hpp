// What our own code throws. No server header is needed to throw it; pg::entry turns it into
// ereport.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "base/sqlstate.hpp"

namespace arbiter {

// Message style is the server's: a lower-case primary without full stop, detail and hint as
// sentences.
class Failure : public std::exception {
public:
    Failure(Sqlstate sqlstate, std::string message, std::string detail = {}, std::string hint = {})
        : sqlstate_(sqlstate), message_(std::move(message)), detail_(std::move(detail)),
          hint_(std::move(hint))
    {
    }
    const char *what() const noexcept override { return message_.c_str(); }
    Sqlstate sqlstate() const noexcept { return sqlstate_; }
    const std::string &message() const noexcept { return message_; }
    const std::string &detail() const noexcept { return detail_; }
    const std::string &hint() const noexcept { return hint_; }

private:
    Sqlstate sqlstate_;
    std::string message_, detail_, hint_;
};

} // namespace arbiter
