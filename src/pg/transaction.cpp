#include "pg/postgres.hpp"

#include "pg/transaction.hpp"

#include "base/failure.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

void require_writable(const char *call_name)
{
    call([call_name] {
        PreventCommandDuringRecovery(call_name);
        PreventCommandIfReadOnly(call_name);
        PreventCommandIfParallelMode(call_name);
    });
}

void require_primary(const char *call_name)
{
    call([call_name] { PreventCommandDuringRecovery(call_name); });
}

namespace {

// The executor state of a client's own statement is made in the portal's memory; that of a
// statement inside a function, in the function's. The server tells a function nothing else about
// its caller.
bool is_called_by_client(FunctionCallInfo fcinfo)
{
    return ActivePortal &&
           MemoryContextGetParent(fcinfo->flinfo->fn_mcxt) == ActivePortal->portalContext;
}

} // namespace

void require_transaction_block(FunctionCallInfo fcinfo, const char *call_name)
{
    bool const alone =
        call([=] { return !IsInTransactionBlock(true) && is_called_by_client(fcinfo); });
    if (alone)
        throw Failure(sqlstate::kNoActiveTransaction,
                      std::string(call_name) + " can only be used in a transaction block",
                      "The lock would end with this very statement.",
                      "Run BEGIN first, or call it inside a function or DO block.");
}

bool is_standby() noexcept
{
    return RecoveryInProgress();
}

bool has_written() noexcept
{
    return TransactionIdIsValid(GetTopTransactionIdIfAny());
}

void notice(const std::string &message)
{
    call([&] { ereport(NOTICE, errmsg_internal("%s", message.c_str())); });
}

void warning(const std::string &message, const std::string &detail, const std::string &hint)
{
    call([&] {
        ereport(WARNING, (errmsg_internal("%s", message.c_str()),
                          detail.empty() ? 0 : errdetail_internal("%s", detail.c_str()),
                          hint.empty() ? 0 : errhint("%s", hint.c_str())));
    });
}

Oid current_database() noexcept
{
    return MyDatabaseId;
}

std::int64_t this_process() noexcept
{
    return MyProcPid;
}

bool is_serializable() noexcept
{
    return IsolationIsSerializable();
}

bool keeps_its_snapshot() noexcept
{
    return IsolationUsesXactSnapshot();
}

bool fires_triggers() noexcept
{
    return SessionReplicationRole != SESSION_REPLICATION_ROLE_REPLICA;
}

void force_synchronous_commit() noexcept
{
    ForceSyncCommit();
}

void increment_command_counter()
{
    call([] { CommandCounterIncrement(); });
}

} // namespace arbiter::pg
