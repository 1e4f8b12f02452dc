// What pg_stat_activity says of a session that waits for something of ours.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arbiter::pg {

enum class WaitEvent : std::size_t { events, projection, runner, launcher };
inline constexpr std::size_t kWaitEvents = 4;

// As the server counts them. Inside pg::call: the first of a kind in a session may raise.
std::uint32_t wait_event_info(WaitEvent event);

} // namespace arbiter::pg
