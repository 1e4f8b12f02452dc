#include "report.hpp"

#include "text.hpp"

#include <cmath>
#include <functional>

namespace bench {
namespace {

std::string escaped(const std::string &s)
{
    std::string result = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "\"";
}

std::string number(double value)
{
    return std::isfinite(value) ? text("%.9g", value) : "null";
}

template <typename Range, typename Element>
std::string array(const Range &range, Element element)
{
    std::vector<std::string> parts;
    for (const auto &item : range)
        parts.push_back(element(item));
    return "[" + join(parts, ",") + "]";
}

using Members = std::vector<std::pair<std::string, std::string>>;

std::string object(const Members &members)
{
    std::vector<std::string> parts;
    for (const auto &[name, value] : members)
        parts.push_back(escaped(name) + ":" + value);
    return "{" + join(parts, ",") + "}";
}

std::string counts(const std::map<std::string, uint64_t> &rejected)
{
    Members members;
    for (const auto &[code, count] : rejected)
        members.emplace_back(code, std::to_string(count));
    return object(members);
}

std::string slice(const Slice &slice)
{
    return object({{"seconds", number(slice.seconds)},
                   {"calls", std::to_string(slice.tally.calls)},
                   {"events", std::to_string(slice.tally.events)},
                   {"cpu_seconds", number(slice.cpu)},
                   {"strangers", number(slice.strangers)},
                   {"wal_bytes", std::to_string(slice.wal)},
                   {"rejected", counts(slice.tally.rejected)}});
}

std::string variant(const VariantRun &run)
{
    return object({{"name", escaped(run.name)},
                   {"median_latency_seconds", number(run.median_latency())},
                   {"table_bytes_per_event", number(run.table_bytes)},
                   {"index_bytes_per_event", number(run.index_bytes)},
                   {"slices", array(run.slices, slice)}});
}

std::string comparison(const ComparisonRun &run)
{
    return object({{"subject", escaped(run.comparison.subject)},
                   {"baseline", escaped(run.comparison.baseline)},
                   {"floor", escaped(run.comparison.floor)},
                   {"speed", array(run.rate, number)},
                   {"quiet_speed", array(run.quiet_rate, number)},
                   {"cpu", array(run.cpu, number)},
                   {"wal", array(run.wal, number)}});
}

std::string scenario(const ScenarioRun &run)
{
    return object({{"name", escaped(run.name)},
                   {"clients", std::to_string(run.clients)},
                   {"synchronous_commit", escaped(run.commit)},
                   {"events_per_call", std::to_string(run.events)},
                   {"variants", array(run.variants, variant)},
                   {"comparisons", array(run.comparisons, comparison)}});
}

} // namespace

std::string json(const SuiteRun &run, const Options &options, const Facts &facts)
{
    Members known;
    for (const auto &[name, value] : facts)
        known.emplace_back(name, escaped(value));
    return object({{"title", escaped(run.suite.title)},
                   {"facts", object(known)},
                   {"rounds", std::to_string(options.rounds)},
                   {"slice_seconds", number(options.slice)},
                   {"scenarios", array(run.scenarios, scenario)},
                   {"skipped", array(run.skipped, escaped)}}) +
           "\n";
}

} // namespace bench
