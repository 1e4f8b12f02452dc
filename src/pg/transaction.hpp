// What the current transaction may do.
#pragma once

#include <string>

namespace arbiter::pg {

// Refuses first what cannot write: read-only transactions and standbys (25006), parallel mode
// (25000). Without it a standby would answer XX000 from somewhere deep inside.
void require_writable(const char *call);

void notice(const std::string &message);

bool is_serializable() noexcept;

// Makes what this command wrote visible to the next one of the same transaction.
void increment_command_counter();

} // namespace arbiter::pg
