#include "log/expectation.hpp"

#include "base/failure.hpp"

namespace arbiter::log {

Expectation Expectation::from(std::int64_t value)
{
    if (value < kNoStream && value != kAny && value != kStreamExists)
        throw Failure(
            sqlstate::kInvalidParameterValue, "invalid expected revision " + std::to_string(value),
            {},
            "Pass a revision from 0 up, or arbiter.no_stream(), arbiter.any_revision() or "
            "arbiter.stream_exists().");
    return Expectation(value);
}

bool Expectation::accepts(std::int64_t head) const noexcept
{
    switch (value_) {
    case kAny:
        return true;
    case kStreamExists:
        return head != kNoRevision;
    default:
        return head == value_;
    }
}

bool Expectation::could_have_written(std::int64_t first_revision) const noexcept
{
    switch (value_) {
    case kAny:
        return true;
    case kStreamExists:
        return first_revision > 0;
    default:
        return first_revision - 1 == value_;
    }
}

} // namespace arbiter::log
