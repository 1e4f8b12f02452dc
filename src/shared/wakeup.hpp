// Who waits for new events is woken by the commit that brings them.
#pragma once

#include <cstdint>

#include "pg/signal.hpp"
#include "pg/types.hpp"

namespace arbiter::shared {

// Called once from _PG_init.
void initialize_wakeup();

// What a commit signals after it has drawn from the sequence.
std::uint32_t wakeup_key(Oid sequence) noexcept;
// What it signals besides: to the runners of its database, and where there is none, to the one who
// starts them.
std::uint32_t runner_key(Oid database) noexcept;
inline constexpr std::uint32_t kLauncherKey = ~std::uint32_t{0};

} // namespace arbiter::shared
