#pragma once

#include "result.hpp"
#include "suite.hpp"

#include <string>
#include <vector>

namespace bench {

struct Options {
    std::string suite;
    std::vector<std::string> setup_folders;
    size_t rounds = 12;
    double slice = 0.3;          // seconds
    std::string only;            // one scenario
    std::vector<size_t> clients; // instead of the suite's
    std::vector<std::string> commit;
    bool realtime = false; // keeps the neighbours out
    uint64_t seed = 1;
    std::string revision; // of the code under test
    std::string json;     // file to write
};

struct SuiteRun {
    Suite suite;
    std::vector<ScenarioRun> scenarios;
    std::vector<std::string> skipped; // and why
};

SuiteRun run_suite(const Options &options);

} // namespace bench
