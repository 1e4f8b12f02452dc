#pragma once

#include "connection.hpp"
#include "suite.hpp"

#include <string>
#include <vector>

namespace bench {

// A new database with a scenario's set-up; dropped when the scenario is over, so that none starts
// with the tables, caches and dirty pages of the one before.
class Database {
public:
    Database();
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    void set_up(const Settings &settings, const std::vector<std::string> &folders);
    const std::string &name() const { return name_; }
    bool has_function(const std::string &name);

private:
    std::string name_ = "bench";
};

struct Size {
    double rows = 0;
    double heap = 0;  // bytes
    double index = 0; // bytes
};

// Partitions included; a name that is no table is an error.
Size size_of(Connection &monitor, const std::string &table);

// The path of a set-up file; the first folder that has it wins.
std::string find_setup(const std::string &file, const std::vector<std::string> &folders);

} // namespace bench
