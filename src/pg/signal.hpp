// Waking sessions that wait for something, through shared memory where the library is preloaded.
// Without it they look again after a while, which is why every wait here has an end.
#pragma once

#include <cstdint>

#include "base/duration.hpp"
#include "pg/wait_event.hpp"

namespace arbiter::pg {

// Called from _PG_init: asks for shared memory if the server is still preloading.
void request_signals();

// Whoever signals can be heard.
bool has_signals() noexcept;

// Wakes all who wait for that key. Cheap, and nothing in it can fail: it may run inside a commit.
void signal(std::uint32_t key) noexcept;

// Lives while a session waits for a key. What is signalled from its beginning on ends the next
// sleep, so look after it has begun, then sleep.
class SignalWait {
public:
    SignalWait(std::uint32_t key, WaitEvent event);
    ~SignalWait();
    SignalWait(const SignalWait &) = delete;
    SignalWait &operator=(const SignalWait &) = delete;
    // Until a signal or the time has passed; the first may come without cause. Interruptible. False
    // where the time has passed.
    bool sleep(Duration at_most);

private:
    std::uint32_t const key_;
    WaitEvent const event_;
};

} // namespace arbiter::pg
