#include "pg/postgres.hpp"

#include "pg/signal.hpp"

#include <algorithm>

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// Keys share these; who is woken for another's key looks and sleeps again.
constexpr std::uint32_t kSignals = 64;

struct Signals {
    ConditionVariable of[kSignals];
};
constinit Signals *signals = nullptr;
constinit shmem_request_hook_type next_request = nullptr;
constinit shmem_startup_hook_type next_startup = nullptr;

ConditionVariable *signal_of(std::uint32_t key) noexcept
{
    return &signals->of[key % kSignals];
}

void request()
{
    if (next_request)
        next_request();
    RequestAddinShmemSpace(sizeof(Signals));
}

void start()
{
    if (next_startup)
        next_startup();
    bool found = false;
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    auto *const made = static_cast<Signals *>(ShmemInitStruct("arbiter", sizeof(Signals), &found));
    if (!found)
        for (ConditionVariable &variable : made->of)
            ConditionVariableInit(&variable);
    LWLockRelease(AddinShmemInitLock);
    signals = made;
}

} // namespace

void request_signals()
{
    if (!process_shared_preload_libraries_in_progress)
        return;
    next_request = shmem_request_hook;
    shmem_request_hook = request;
    next_startup = shmem_startup_hook;
    shmem_startup_hook = start;
}

bool has_signals() noexcept
{
    return signals != nullptr;
}

void signal(std::uint32_t key) noexcept
{
    if (signals)
        ConditionVariableBroadcast(signal_of(key));
}

SignalWait::SignalWait(std::uint32_t key) : key_(key)
{
    if (signals)
        call([this] { ConditionVariablePrepareToSleep(signal_of(key_)); });
}

// While an error unwinds too: it cannot fail, and the end of the transaction may be far.
SignalWait::~SignalWait()
{
    if (signals)
        ConditionVariableCancelSleep();
}

void SignalWait::sleep(Duration at_most)
{
    // The server counts milliseconds, and not beyond an int.
    using std::chrono::milliseconds;
    long const time = static_cast<long>(
        std::clamp(std::chrono::ceil<milliseconds>(at_most), milliseconds(1), milliseconds(60'000))
            .count());
    call([=, this] {
        if (signals) {
            ConditionVariableTimedSleep(signal_of(key_), time, PG_WAIT_EXTENSION);
            return;
        }
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, time,
                  PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    });
}

} // namespace arbiter::pg
