#include "shared/counters.hpp"

namespace arbiter::shared {

namespace {
constinit Counters session_counters{};
}

void count(Noun noun, Outcome outcome) noexcept
{
    ++session_counters[static_cast<std::size_t>(noun)][static_cast<std::size_t>(outcome)];
}

const Counters &counters() noexcept
{
    return session_counters;
}

const char *name(Noun noun) noexcept
{
    switch (noun) {
    case Noun::append:
        return "append";
    case Noun::advance:
        return "advance";
    case Noun::handle:
        return "handle";
    case Noun::lock:
        return "lock";
    case Noun::claim:
        return "claim";
    case Noun::transition:
        return "transition";
    }
    return "";
}

} // namespace arbiter::shared
