#include "result.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

// A larger share of the CPUs in other hands shows in the ratios (seen with twins).
constexpr double kQuiet = 0.1;

const VariantRun &find(const std::vector<VariantRun> &runs, const std::string &name)
{
    for (const VariantRun &run : runs)
        if (run.name == name)
            return run;
    throw std::runtime_error("there is no variant " + name);
}

} // namespace

uint64_t VariantRun::accepted() const
{
    uint64_t total = 0;
    for (const Slice &slice : slices)
        total += slice.tally.events;
    return total;
}

std::map<std::string, uint64_t> VariantRun::rejected() const
{
    Tally total;
    for (const Slice &slice : slices)
        total.add({0, 0, slice.tally.rejected, {}});
    return total.rejected;
}

double VariantRun::median_latency() const
{
    std::vector<double> all;
    for (const Slice &slice : slices)
        all.insert(all.end(), slice.tally.latencies.begin(), slice.tally.latencies.end());
    return median(std::move(all));
}

// Slices of one round are neighbours in time: only they are divided by one another.
ComparisonRun compare(const Comparison &comparison, const std::vector<VariantRun> &runs)
{
    ComparisonRun result{comparison, {}, {}, {}, {}};
    const VariantRun &subject = find(runs, comparison.subject);
    const VariantRun &baseline = find(runs, comparison.baseline);
    for (size_t i = 0; i < subject.slices.size(); ++i) {
        const Slice &a = subject.slices[i];
        const Slice &b = baseline.slices[i];
        double floor_time = 0;
        double floor_cpu = 0;
        if (!comparison.floor.empty()) {
            const Slice &floor = find(runs, comparison.floor).slices[i];
            floor_time = floor.per_event(floor.seconds);
            floor_cpu = floor.per_event(floor.cpu);
        }
        result.rate.push_back((b.per_event(b.seconds) - floor_time) /
                              (a.per_event(a.seconds) - floor_time));
        if (std::max(a.strangers, b.strangers) <= kQuiet)
            result.quiet_rate.push_back(result.rate.back());
        result.cpu.push_back((a.per_event(a.cpu) - floor_cpu) / (b.per_event(b.cpu) - floor_cpu));
        result.wal.push_back(a.per_event(static_cast<double>(a.wal)) /
                             b.per_event(static_cast<double>(b.wal)));
    }
    return result;
}

} // namespace bench
