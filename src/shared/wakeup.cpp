#include "shared/wakeup.hpp"

#include "pg/sequence.hpp"
#include "pg/transaction.hpp"
#include "shared/runners.hpp"

namespace arbiter::shared {

namespace {

void wake(Oid sequence)
{
    pg::signal(wakeup_key(sequence));
    Oid const database = pg::current_database();
    pg::signal(is_served(database) ? runner_key(database) : kLauncherKey);
}

} // namespace

// Other databases may have a sequence of that number: their waiters look in vain once.
std::uint32_t wakeup_key(Oid sequence) noexcept
{
    return sequence;
}

std::uint32_t runner_key(Oid database) noexcept
{
    return database;
}

void initialize_wakeup()
{
    pg::request_signals();
    request_runners();
    pg::on_commit_after_draw(wake);
}

} // namespace arbiter::shared
