// What a revision means to an entity whose offset is known: the rule behind every call of this
// noun.
#pragma once

#include <cstdint>

namespace arbiter::projection {

// The offset of an entity of which nothing has been applied; the next revision is 0 then.
inline constexpr std::int64_t kNothingApplied = -1;

enum class Decision {
    apply,   // it is new: the effect is to happen, in this transaction
    already, // it has been applied: nothing is to happen
    gap,     // one before it has not been applied
};

// A strict projection sees every revision; another one may be shown a selection, in order.
Decision decide(std::int64_t applied, std::int64_t revision, bool strict) noexcept;

} // namespace arbiter::projection
