#pragma once

#include "machine.hpp"
#include "scenario.hpp"

#include <string>

namespace bench {

// For people.
std::string report(const SuiteRun &run, const Options &options, const Facts &facts);

// For programs: the same figures, every slice of every round.
std::string json(const SuiteRun &run, const Options &options, const Facts &facts);

} // namespace bench
