#pragma once

#include "slice.hpp"
#include "suite.hpp"

#include <string>
#include <vector>

namespace bench {

struct VariantRun {
    std::string name;
    std::vector<Slice> slices; // one a round
    double table_bytes;        // an event, heap; not-a-number without a table
    double index_bytes;

    uint64_t accepted() const;
    std::map<std::string, uint64_t> rejected() const;
    double median_latency() const;
};

struct ComparisonRun {
    Comparison comparison;
    std::vector<double> rate; // a round each: above 1 the subject is faster
    std::vector<double> cpu;  // below 1 it costs less
    std::vector<double> wal;
    std::vector<double> quiet_rate; // of the rounds in which both had the machine to themselves
};

// One combination of a scenario's settings.
struct ScenarioRun {
    std::string name;
    std::string title;
    size_t clients;
    std::string commit;
    size_t events; // a call
    std::vector<VariantRun> variants;
    std::vector<ComparisonRun> comparisons;
};

ComparisonRun compare(const Comparison &comparison, const std::vector<VariantRun> &runs);

} // namespace bench
