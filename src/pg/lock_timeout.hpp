// A limit for waiting of our own, beside the session's lock_timeout.
#pragma once

#include "base/duration.hpp"

namespace arbiter::pg {

// While it lives, each wait for a lock ends after the deadline or after lock_timeout, whichever
// comes first, with 55P03 from the server. It sets the variable behind lock_timeout, not the
// setting: there is nothing to roll back, nobody who runs during a wait could see it, and whichever
// way the scope is left, the destructor puts the value back.
class LockTimeout {
public:
    explicit LockTimeout(const Deadline &deadline) noexcept;
    ~LockTimeout();
    LockTimeout(const LockTimeout &) = delete;
    LockTimeout &operator=(const LockTimeout &) = delete;
    // Which of the two comes first.
    bool is_ours() const noexcept { return is_ours_; }
    // The limit, as whoever set it would say it.
    std::int64_t milliseconds() const noexcept { return limit_; }

private:
    int const of_session_;
    bool is_ours_;
    std::int64_t limit_;
};

// The session's lock_timeout.
std::int64_t lock_timeout_milliseconds() noexcept;

} // namespace arbiter::pg
