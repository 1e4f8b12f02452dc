// The kinds of processes of the runner. README.md says how they come and go.
#pragma once

#include <cstdint>

#include "pg/types.hpp"
#include "pg/worker.hpp"

namespace arbiter::runner {

// Called once from _PG_init.
void initialize();

// Their bodies; place is the one in shared memory that was reserved for them.
[[noreturn]] void launch();
void scout(std::int32_t place);
void work(std::int32_t place);

// Starts them where they are not there yet. False where there is no room.
bool start_scout(Oid database);
bool start_worker(Oid database, Oid role, std::int32_t most);

} // namespace arbiter::runner
