#include "shared/wakeup.hpp"

#include "pg/sequence.hpp"

namespace arbiter::shared {

namespace {

void wake(Oid sequence)
{
    pg::signal(wakeup_key(sequence));
}

} // namespace

// Other databases may have a sequence of that number: their waiters look in vain once.
std::uint32_t wakeup_key(Oid sequence) noexcept
{
    return sequence;
}

void initialize_wakeup()
{
    pg::request_signals();
    pg::on_commit_after_draw(wake);
}

} // namespace arbiter::shared
