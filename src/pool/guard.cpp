#include "pool/guard.hpp"

#include <string>

#include "base/failure.hpp"

namespace arbiter::pool {

namespace {

std::string shown(std::optional<std::int64_t> token)
{
    return token ? std::to_string(*token) : "null";
}

} // namespace

void guard_change(std::string_view store, std::string_view pool, bool same_owner,
                  std::optional<std::int64_t> from, std::optional<std::int64_t> to)
{
    bool const larger = to && (!from || *to > *from);
    if (larger || (same_owner && to == from))
        return;
    throw Failure(
        sqlstate::kAppendOnly,
        "the rows of pool \"" + std::string(pool) + "\" of store \"" + std::string(store) +
            "\" keep their tokens",
        std::string(same_owner ? "A token never decreases" : "A new owner needs a larger token") +
            ": it was " + shown(from) + ", now it is " + shown(to) + ".",
        "Use arbiter.allocate, arbiter.reassign or arbiter.release_work.");
}

} // namespace arbiter::pool
