#pragma once

#include "connection.hpp"
#include "generator.hpp"
#include "suite.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

// What one client, or all clients of a variant, got done in a slice.
struct Tally {
    uint64_t calls = 0;  // accepted
    uint64_t events = 0; // in accepted calls
    std::map<std::string, uint64_t> rejected;
    std::vector<double> latencies; // seconds from the first attempt to acceptance

    void add(const Tally &other);
};

// One connection that runs one variant's calls, prepared once.
class Client {
public:
    Client(const std::string &database, const Variant &variant, const Settings &settings,
           const std::string &commit, size_t events, size_t number, uint64_t seed);

    // Calls until the deadline; the one in flight then is finished and counted.
    Tally run_until(Clock::time_point deadline);

    int backend_pid() const { return connection_.backend_pid(); }

private:
    // Empty: accepted. Otherwise the SQLSTATE, or what the last result said instead.
    std::string attempt();
    Result run(const Statement &statement, size_t index);
    Parameters parameters(const Statement &statement);
    std::string copy_lines(const Statement &statement);
    void capture(const PGresult *result);
    std::string verdict(const PGresult *result) const;
    std::string rejection(const PGresult *result);

    const Variant &variant_;
    size_t events_;
    Connection connection_;
    Generator generator_;
    std::vector<std::string> names_; // of the prepared statements
    std::map<std::string, std::optional<std::string>> captured_;
};

} // namespace bench
