#pragma once

#include "connection.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

// What a figure is worth nothing without: the machine, the versions, the settings.
using Facts = std::vector<std::pair<std::string, std::string>>;

Facts machine_facts();
Facts server_facts(Connection &connection);

// Seconds of CPU used so far, not-a-number where the kernel does not tell: by the whole machine, by
// this process, by another (exact while that one sleeps).
double machine_cpu();
double own_cpu();
double process_cpu(int pid);

} // namespace bench
