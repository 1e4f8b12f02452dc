#include "placement.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr int kSelf = 0;

[[noreturn]] void fail(const std::string &what)
{
    throw std::runtime_error("cannot set " + what + ": " + std::strerror(errno));
}

// Where the kernel groups processes by session, niceness counts inside the group only, and each
// backend is a session of its own: the group has a niceness too.
void set_niceness(int pid, int nice)
{
    const std::string process = pid == kSelf ? "self" : std::to_string(pid);
    std::fstream group("/proc/" + process + "/autogroup", std::ios::in | std::ios::out);
    const bool grouped = group.is_open();
    if (grouped)
        group << nice << std::flush;
    if ((grouped && !group) || setpriority(PRIO_PROCESS, static_cast<id_t>(pid), nice) != 0)
        fail("niceness " + std::to_string(nice));
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

Placement::Placement(size_t clients, int nice) : nice_(nice)
{
    sched_getaffinity(kSelf, sizeof allowed_, &allowed_);
    pinned_ = clients == 1 && CPU_COUNT(&allowed_) > 1;
    if (pinned_) // threads inherit it
        pin(kSelf, first_of(without_first(allowed_)));
    if (nice_ != 0)
        set_niceness(kSelf, nice_);
}

Placement::~Placement()
{
    // the shell that called us shares the group; nothing can be done about a refusal
    try {
        if (pinned_)
            pin(kSelf, allowed_);
        if (nice_ != 0)
            set_niceness(kSelf, 0);
    } catch (const std::exception &) {
    }
}

void Placement::apply_to_backend(int pid) const
{
    if (pinned_)
        pin(pid, first_of(allowed_));
    if (nice_ != 0)
        set_niceness(pid, nice_);
}

} // namespace bench
