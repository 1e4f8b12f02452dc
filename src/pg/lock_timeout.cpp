#include "pg/postgres.hpp"

#include "pg/lock_timeout.hpp"

namespace arbiter::pg {

namespace {

using Milliseconds = std::chrono::duration<std::int64_t, std::milli>;

// 0 where there is no limit, as lock_timeout has it. What exceeds the server's timers, 24 days, is
// none.
int to_milliseconds(Duration remaining) noexcept
{
    if (remaining >= Milliseconds(INT_MAX))
        return 0;
    auto const rounded_up = std::chrono::ceil<Milliseconds>(remaining).count();
    return static_cast<int>(rounded_up < 1 ? 1 : rounded_up);
}

} // namespace

LockTimeout::LockTimeout(const Deadline &deadline) noexcept : of_session_(::LockTimeout)
{
    int const own = to_milliseconds(deadline.remaining());
    is_ours_ = own != 0 && (of_session_ == 0 || own < of_session_);
    limit_ = is_ours_ ? std::chrono::ceil<Milliseconds>(deadline.allowed()).count() : of_session_;
    if (is_ours_)
        ::LockTimeout = own;
}

LockTimeout::~LockTimeout()
{
    ::LockTimeout = of_session_;
}

std::int64_t lock_timeout_milliseconds() noexcept
{
    return ::LockTimeout;
}

} // namespace arbiter::pg
