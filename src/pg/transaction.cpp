#include "pg/postgres.hpp"

#include "pg/transaction.hpp"

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

void notice(const std::string &message)
{
    call([&] { ereport(NOTICE, errmsg_internal("%s", message.c_str())); });
}

bool is_serializable() noexcept
{
    return IsolationIsSerializable();
}

void increment_command_counter()
{
    call([] { CommandCounterIncrement(); });
}

} // namespace arbiter::pg
