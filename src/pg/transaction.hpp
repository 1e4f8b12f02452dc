// What the current transaction may do.
#pragma once

#include <cstdint>
#include <string>

#include "pg/types.hpp"

namespace arbiter::pg {

// Refuses first what cannot write: read-only transactions and standbys (25006), parallel mode
// (25000). Without it a standby would answer XX000 from somewhere deep inside.
void require_writable(const char *call);
// Refuses standbys only (25006).
void require_primary(const char *call);
// 25P01 where the call stands alone in a top-level statement in autocommit, so that what it holds
// to the end of the transaction would be gone with the statement. Inside functions and DO blocks
// more may follow.
void require_transaction_block(FunctionCallInfoBaseData *fcinfo, const char *call);

bool is_standby() noexcept;
// It has a number of its own, which a transaction gets when it first writes.
bool has_written() noexcept;

void notice(const std::string &message);
void warning(const std::string &message, const std::string &detail = {},
             const std::string &hint = {});

// The number of this session, as pg_stat_activity has it.
std::int64_t this_process() noexcept;
Oid current_database() noexcept;

bool is_serializable() noexcept;
// One snapshot for the whole transaction: REPEATABLE READ and SERIALIZABLE.
bool keeps_its_snapshot() noexcept;

// False in a session that applies what another server has decided (session_replication_role).
bool fires_triggers() noexcept;

// The commit waits for the disk, whatever synchronous_commit says.
void force_synchronous_commit() noexcept;

// Makes what this command wrote visible to the next one of the same transaction.
void increment_command_counter();

} // namespace arbiter::pg
