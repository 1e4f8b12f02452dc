#include "claim/guard.hpp"

#include <string>

#include "base/failure.hpp"

namespace arbiter::claim {

namespace {

constinit int permits = 0;

[[noreturn]] void refuse(std::string_view store, std::string detail, std::string hint)
{
    throw Failure(sqlstate::kAppendOnly,
                  "the claims of store \"" + std::string(store) + "\" keep their tokens and states",
                  std::move(detail), std::move(hint));
}

} // namespace

ClaimsMayVanish::ClaimsMayVanish() noexcept
{
    ++permits;
}

// Runs while an error unwinds too: server errors are C++ exceptions on this side of pg::call.
ClaimsMayVanish::~ClaimsMayVanish()
{
    --permits;
}

void guard_removal(std::string_view store, std::string_view command)
{
    if (permits == 0)
        refuse(store,
               std::string(command) + " is refused, for every role: without its row, what is done "
                                      "could be claimed again.",
               "CALL arbiter.prune_claims removes what is over; arbiter.drop_ledger removes all.");
}

void guard_change(std::string_view store, Standing from, Standing to, bool same_key)
{
    const char *const why = same_key ? refusal(from, to) : "A claim keeps its ledger and its key.";
    if (why)
        refuse(store, why, "Use arbiter.claim, arbiter.settle or arbiter.force_takeover.");
}

} // namespace arbiter::claim
