// The say that machines have in the log: an arbiter, asked at every write.
#pragma once

namespace arbiter::machine {

// Once, from _PG_init. From then on RB030 meets every event of a machine's type that may not follow
// the state its stream is in, whoever writes it.
void govern_log() noexcept;

} // namespace arbiter::machine
