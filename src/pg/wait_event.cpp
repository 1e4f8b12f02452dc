#include "pg/postgres.hpp"

#include "pg/wait_event.hpp"

#include <array>

#include "pg/compat.hpp"

namespace arbiter::pg {

namespace {

// doc/operations.md has them.
constexpr std::array<const char *, kWaitEvents> kNames{"ArbiterEvents", "ArbiterProjection",
                                                       "ArbiterRunner", "ArbiterLauncher"};

constinit std::array<std::uint32_t, kWaitEvents> known{};

} // namespace

std::uint32_t wait_event_info(WaitEvent event)
{
    auto const n = static_cast<std::size_t>(event);
    if (known[n] == 0)
        known[n] = compat::new_wait_event(kNames[n]);
    return known[n];
}

} // namespace arbiter::pg
