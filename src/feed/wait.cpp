#include "feed/wait.hpp"

#include <algorithm>
#include <string>

#include "feed/read.hpp"
#include "pg/lock_manager.hpp"
#include "pg/snapshot.hpp"
#include "pg/transaction.hpp"
#include "shared/wakeup.hpp"
#include "store/store.hpp"

namespace arbiter::feed {

namespace {

using namespace std::chrono_literals;

// A wake-up may come a moment before its commit has let go of what the feed looks at, so the first
// sleeps are short. Commits of prepared transactions wake nobody, nor does anything on a standby.
constexpr Duration kShortest = 1ms;
constexpr Duration kUnheard = 20ms;
constexpr Duration kHeard = 100ms;

Duration longest_sleep() noexcept
{
    return pg::has_signals() && !pg::is_standby() ? kHeard : kUnheard;
}

std::uint32_t key_of(std::string_view store)
{
    return shared::wakeup_key(store::open_for_reading(store)->position_sequence);
}

bool is_there(std::string_view store, std::int64_t after)
{
    pg::StatementSnapshot now;
    return has_next(*store::open_for_reading(store), after);
}

} // namespace

bool may_wait(const pg::Procedure &procedure, const char *call)
{
    if (procedure.may_commit() ||
        (!pg::has_written() && !pg::keeps_its_snapshot() && !pg::holds_any(pg::LockSpace::entity)))
        return true;
    pg::notice(std::string(call) + " does not wait in a transaction that has written, holds "
                                   "entity locks, or keeps its snapshot");
    return false;
}

bool wait_for_events(pg::Procedure &procedure, std::string_view store, std::int64_t after,
                     Duration timeout)
{
    Deadline const deadline(timeout);
    pg::SignalWait wait(key_of(store), pg::WaitEvent::events);
    Duration nap = kShortest;
    for (;;) {
        if (is_there(store, after))
            return true;
        if (deadline.passed() || !may_wait(procedure, "wait_for_events"))
            return false;
        procedure.without_snapshot([&] { wait.sleep(std::min(nap, deadline.remaining())); });
        nap = std::min(2 * nap, longest_sleep());
    }
}

} // namespace arbiter::feed
