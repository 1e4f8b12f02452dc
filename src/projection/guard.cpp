#include "projection/guard.hpp"

#include <string>

#include "base/failure.hpp"

namespace arbiter::projection {

namespace {
constinit int permits = 0;
}

OffsetsMayChange::OffsetsMayChange() noexcept
{
    ++permits;
}

// Runs while an error unwinds too: server errors are C++ exceptions on this side of pg::call.
OffsetsMayChange::~OffsetsMayChange()
{
    --permits;
}

void guard_offsets(std::string_view store, std::string_view command)
{
    if (permits > 0)
        return;
    throw Failure(sqlstate::kAppendOnly,
                  "the offsets of store \"" + std::string(store) + "\" are moved by calls only",
                  std::string(command) + " is refused, for every role: an offset says what has "
                                         "been applied, and only the call that decides may say so.",
                  "Use arbiter.advance or arbiter.start_at; arbiter.drop_projection forgets them.");
}

} // namespace arbiter::projection
