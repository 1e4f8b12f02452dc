// Processes of our own beside the sessions of clients.
#pragma once

#include <cstdint>
#include <string>

#include "base/duration.hpp"
#include "pg/types.hpp"
#include "pg/wait_event.hpp"

namespace arbiter::pg {

// The server is starting, and loads the library for everybody.
bool is_preloading() noexcept;

// pg_upgrade has started it, to read or to fill the catalogs. Whatever else writes then is lost, or
// worse: transaction ids that it draws are drawn again.
bool is_being_upgraded() noexcept;

struct WorkerKind {
    const char *type;     // as pg_stat_activity shows it
    const char *function; // an exported void(Datum)
};

// From _PG_init while preloading. It is started once the server takes writes, and again a second
// after it has ended, whatever for.
void register_worker(const WorkerKind &kind);

// Started once. False where the server has no room (max_worker_processes) or could not; returns
// when the process is there, or gone already.
bool start_worker(const WorkerKind &kind, const std::string &name, std::int32_t argument);

// First thing in a worker: signals end it as they end a session.
void begin_worker();
// Also of a session: runs whatever ends it, short of a kill.
void at_end_of_process(void (*function)());
[[noreturn]] void end_worker();

// Ends the process if it was told to. True where the server was told to reload its settings, which
// are read anew.
bool heed_signals();
void pause(Duration time, WaitEvent event);

void log(const std::string &message, const std::string &hint = {});

} // namespace arbiter::pg
