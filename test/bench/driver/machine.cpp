#include "machine.hpp"

#include "text.hpp"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <limits>

namespace bench {
namespace {

std::string value_in(const std::string &path, const std::string &key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            return trim(line.substr(line.find(':') + 1));
    return "unknown";
}

std::string first_line(const std::string &path)
{
    std::string line;
    std::getline(std::ifstream(path) >> std::ws, line);
    return line;
}

std::string kernel()
{
    utsname name{};
    uname(&name);
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double seconds(const timeval &time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

constexpr const char *kSettings[] = {
    "shared_buffers",           "max_wal_size", "checkpoint_timeout", "fsync", "wal_sync_method",
    "full_page_writes",         "wal_level",    "autovacuum",         "jit",   "max_connections",
    "shared_preload_libraries",
};

} // namespace

Facts machine_facts()
{
    return {{"cpu", value_in("/proc/cpuinfo", "model name")},
            {"cores", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
            {"memory", value_in("/proc/meminfo", "MemTotal")},
            {"kernel", kernel()},
            {"load before", first_line("/proc/loadavg")}};
}

Facts server_facts(Connection &connection)
{
    Facts facts{{"server", connection.scalar("SELECT version()")}};
    for (const char *const setting : kSettings)
        facts.emplace_back(setting,
                           connection.scalar("SELECT current_setting(" + quoted(setting) + ")"));
    facts.emplace_back("arbiter",
                       connection.scalar("SELECT coalesce(max(default_version), 'not installed') "
                                         "FROM pg_available_extensions WHERE name = 'arbiter'"));
    return facts;
}

double machine_cpu()
{
    std::ifstream file("/proc/stat");
    std::string label;
    double user, nice, system, idle, wait, irq, softirq, steal;
    if (!(file >> label >> user >> nice >> system >> idle >> wait >> irq >> softirq >> steal))
        return kUnknown;
    const double ticks = user + nice + system + irq + softirq + steal;
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double process_cpu(int pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
    double nanoseconds;
    return file >> nanoseconds ? nanoseconds * 1e-9 : kUnknown;
}

} // namespace bench
