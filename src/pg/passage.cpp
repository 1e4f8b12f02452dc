#include "pg/postgres.hpp"

#include "pg/passage.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

constexpr Passage::Permit kNone{.table = InvalidOid, .command = Command::insert, .level = 0};

constinit Passage::Permit permit = kNone;
constinit bool is_listening = false;

void on_transaction_end(XactEvent, void *)
{
    permit = kNone;
}

void on_subtransaction_end(SubXactEvent, SubTransactionId, SubTransactionId, void *)
{
    if (permit.level >= GetCurrentTransactionNestLevel())
        permit = kNone;
}

void listen()
{
    if (is_listening)
        return;
    call([] {
        RegisterXactCallback(on_transaction_end, nullptr);
        RegisterSubXactCallback(on_subtransaction_end, nullptr);
    });
    is_listening = true;
}

} // namespace

Passage::Passage(Oid table, Command command) : outer_(permit)
{
    listen();
    permit = {.table = table, .command = command, .level = GetCurrentTransactionNestLevel()};
}

// Runs while an error unwinds too: server errors are C++ exceptions on this side of pg::call.
Passage::~Passage()
{
    permit = outer_;
}

bool take_passage(Oid table, Command command) noexcept
{
    if (permit.level != GetCurrentTransactionNestLevel() || permit.table != table ||
        permit.command != command)
        return false;
    permit = kNone;
    return true;
}

} // namespace arbiter::pg
