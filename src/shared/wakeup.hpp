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

} // namespace arbiter::shared
