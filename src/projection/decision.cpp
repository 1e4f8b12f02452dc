#include "projection/decision.hpp"

namespace arbiter::projection {

Decision decide(std::int64_t applied, std::int64_t revision, bool strict) noexcept
{
    if (revision <= applied)
        return Decision::already;
    // Not revision > applied + 1, which overflows behind the greatest offset.
    if (strict && revision - 1 > applied)
        return Decision::gap;
    return Decision::apply;
}

} // namespace arbiter::projection
