#include "placement.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr int kSelf = 0;

[[noreturn]] void fail(const std::string &what)
{
    throw std::runtime_error("cannot set " + what + ": " + std::strerror(errno));
}

void schedule(int pid, int policy)
{
    sched_param parameters{};
    parameters.sched_priority = sched_get_priority_min(policy);
    if (sched_setscheduler(pid, policy, &parameters) != 0)
        fail("the scheduling of process " + std::to_string(pid));
}

void pin(int pid, const cpu_set_t &cpus)
{
    if (sched_setaffinity(pid, sizeof cpus, &cpus) != 0)
        fail("the CPU of process " + std::to_string(pid));
}

cpu_set_t first_of(const cpu_set_t &cpus)
{
    cpu_set_t result;
    CPU_ZERO(&result);
    for (size_t i = 0; CPU_COUNT(&result) == 0; ++i)
        if (CPU_ISSET(i, &cpus))
            CPU_SET(i, &result);
    return result;
}

cpu_set_t without_first(const cpu_set_t &cpus)
{
    const cpu_set_t first = first_of(cpus);
    cpu_set_t result;
    CPU_XOR(&result, &cpus, &first);
    return result;
}

} // namespace

Placement::Placement(size_t clients, bool realtime) : realtime_(realtime)
{
    sched_getaffinity(kSelf, sizeof allowed_, &allowed_);
    pinned_ = clients == 1 && CPU_COUNT(&allowed_) > 1;
    // threads inherit both
    if (pinned_)
        pin(kSelf, first_of(without_first(allowed_)));
    if (realtime_)
        schedule(kSelf, SCHED_RR);
}

Placement::~Placement()
{
    try {
        if (pinned_)
            pin(kSelf, allowed_);
        if (realtime_)
            schedule(kSelf, SCHED_OTHER);
    } catch (const std::exception &) {
        // giving privileges up is never refused
    }
}

void Placement::apply_to_backend(int pid) const
{
    if (pinned_)
        pin(pid, first_of(allowed_));
    if (realtime_)
        schedule(pid, SCHED_RR);
}

} // namespace bench
