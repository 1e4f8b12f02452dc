#include "pg/postgres.hpp"

#include "pg/signal.hpp"

#include <algorithm>

#include "pg/guard.hpp"
#include "pg/shared_memory.hpp"

namespace arbiter::pg {

namespace {

// Keys share these; who is woken for another's key looks and sleeps again.
constexpr std::uint32_t kSignals = 64;

void prepare(void *memory)
{
    for (std::uint32_t i = 0; i < kSignals; ++i)
        ConditionVariableInit(static_cast<ConditionVariable *>(memory) + i);
}

constinit SharedArea area{"arbiter signals", kSignals * sizeof(ConditionVariable), prepare};

ConditionVariable *signal_of(std::uint32_t key) noexcept
{
    return static_cast<ConditionVariable *>(area.memory) + key % kSignals;
}

} // namespace

void request_signals()
{
    request_area(area);
}

bool has_signals() noexcept
{
    return area.memory != nullptr;
}

void signal(std::uint32_t key) noexcept
{
    if (has_signals())
        ConditionVariableBroadcast(signal_of(key));
}

SignalWait::SignalWait(std::uint32_t key, WaitEvent event) : key_(key), event_(event)
{
    if (has_signals())
        call([this] { ConditionVariablePrepareToSleep(signal_of(key_)); });
}

// While an error unwinds too: it cannot fail, and the end of the transaction may be far.
SignalWait::~SignalWait()
{
    if (has_signals())
        ConditionVariableCancelSleep();
}

bool SignalWait::sleep(Duration at_most)
{
    // The server counts milliseconds, and not beyond an int.
    using std::chrono::milliseconds;
    long const time = static_cast<long>(
        std::clamp(std::chrono::ceil<milliseconds>(at_most), milliseconds(1), milliseconds(60'000))
            .count());
    return call([=, this] {
        if (has_signals())
            return !ConditionVariableTimedSleep(signal_of(key_), time, wait_event_info(event_));
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, time,
                  wait_event_info(event_));
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
        return false;
    });
}

} // namespace arbiter::pg
