#include "report.hpp"

#include "statistics.hpp"
#include "text.hpp"

#include <cmath>

namespace bench {
namespace {

std::string figure(double value, const char *format)
{
    return std::isfinite(value) ? text(format, value) : "-";
}

std::string list(const std::map<std::string, uint64_t> &rejected)
{
    std::vector<std::string> parts;
    for (const auto &[code, count] : rejected)
        parts.push_back(code + " x " + std::to_string(count));
    return parts.empty() ? "none" : join(parts, ", ");
}

std::string heading(const ScenarioRun &run)
{
    return text("%s, %zu client%s, synchronous_commit %s, %zu event%s a call", run.name.c_str(),
                run.clients, run.clients == 1 ? "" : "s", run.commit.c_str(), run.events,
                run.events == 1 ? "" : "s");
}

std::string name_of(const Comparison &comparison)
{
    const std::string floor = comparison.floor.empty() ? "" : " net of " + comparison.floor;
    return comparison.subject + " / " + comparison.baseline + floor;
}

std::string variant_line(const VariantRun &run)
{
    std::vector<double> rates, cpu, wal;
    for (const Slice &slice : run.slices) {
        rates.push_back(slice.rate());
        cpu.push_back(slice.per_event(slice.cpu) * 1e6);
        wal.push_back(slice.per_event(static_cast<double>(slice.wal)));
    }
    return text("  %-22s %10s %11s %10s %9s %9s %9s   %s\n", run.name.c_str(),
                figure(median(rates), "%.0f").c_str(),
                figure(run.median_latency() * 1e6, "%.1f").c_str(),
                figure(median(cpu), "%.3f").c_str(), figure(median(wal), "%.1f").c_str(),
                figure(run.table_bytes, "%.1f").c_str(), figure(run.index_bytes, "%.1f").c_str(),
                list(run.rejected()).c_str());
}

std::string spread(const std::vector<double> &values)
{
    const Quartiles q = quartiles(values);
    return figure(q.low, "%.3f") + " " + figure(q.median, "%.3f") + " " + figure(q.high, "%.3f");
}

std::string comparison_lines(const ComparisonRun &run)
{
    std::string result = "  " + name_of(run.comparison) + "\n";
    result += "    speed quartiles " + spread(run.rate) + "   cpu " + spread(run.cpu) + "   wal " +
              figure(median(run.wal), "%.4f") + "\n    speed by round ";
    for (const double ratio : run.rate)
        result += " " + figure(ratio, "%.2f");
    result += text("\n    quiet rounds %zu of %zu", run.quiet_rate.size(), run.rate.size());
    if (!run.quiet_rate.empty())
        result += ", their speed " + spread(run.quiet_rate);
    return result + "\n";
}

// The machine was not ours alone: how far is the rest to be trusted?
std::string strangers_line(const ScenarioRun &run)
{
    std::vector<double> shares;
    for (const VariantRun &variant : run.variants)
        for (const Slice &slice : variant.slices)
            shares.push_back(slice.strangers * 100);
    const Quartiles q = quartiles(shares);
    return text("  others had %s %% of the CPUs (quartiles of the slices %s and %s %%)\n",
                figure(q.median, "%.0f").c_str(), figure(q.low, "%.0f").c_str(),
                figure(q.high, "%.0f").c_str());
}

std::string scenario_section(const ScenarioRun &run)
{
    std::string result = "\n" + heading(run) + "\n";
    if (!run.title.empty())
        result += "  " + run.title + "\n";
    result += text("  %-22s %10s %11s %10s %9s %9s %9s   %s\n", "variant", "events/s", "latency us",
                   "cpu us/ev", "wal B/ev", "heap B/ev", "index B", "rejected");
    for (const VariantRun &variant : run.variants)
        result += variant_line(variant);
    for (const ComparisonRun &comparison : run.comparisons)
        result += comparison_lines(comparison);
    result += strangers_line(run);
    return result;
}

std::string summary(const SuiteRun &run)
{
    constexpr const char *kLine = "%-60s %8s %8s %8s %8s %8s\n";
    std::string result =
        "\n" + text(kLine, "medians of the ratios", "speed", "cpu", "wal", "quiet", "rounds");
    for (const ScenarioRun &scenario : run.scenarios)
        for (const ComparisonRun &comparison : scenario.comparisons)
            result +=
                text(kLine,
                     text("%s %zuc %s %zu/call: %s", scenario.name.c_str(), scenario.clients,
                          scenario.commit.c_str(), scenario.events,
                          name_of(comparison.comparison).c_str())
                         .c_str(),
                     figure(median(comparison.rate), "%.3f").c_str(),
                     figure(median(comparison.cpu), "%.3f").c_str(),
                     figure(median(comparison.wal), "%.4f").c_str(),
                     figure(median(comparison.quiet_rate), "%.3f").c_str(),
                     text("%zu/%zu", comparison.quiet_rate.size(), comparison.rate.size()).c_str());
    return result;
}

} // namespace

std::string report(const SuiteRun &run, const Options &options, const Facts &facts)
{
    std::string result = run.suite.title + "\n\n";
    for (const auto &[name, value] : facts)
        result += text("%-26s%s\n", name.c_str(), value.c_str());
    result +=
        text("%-26s%zu rounds of %.2f s slices, order shuffled in each, seed %llu\n", "measured in",
             options.rounds, options.slice, static_cast<unsigned long long>(options.seed));
    for (const ScenarioRun &scenario : run.scenarios)
        result += scenario_section(scenario);
    for (const std::string &skipped : run.skipped)
        result += "\nskipped " + skipped + "\n";
    return result + summary(run);
}

} // namespace bench
