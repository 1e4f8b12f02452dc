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

} // namespace bench
