#pragma once

#include "statement.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bench {

// One way of doing the work. A call runs the statements in order.
struct Variant {
    std::string name;
    std::vector<std::string> session; // run once, by each of its sessions
    std::vector<Statement> statements;
    std::string table;                    // whose growth is reported; empty: none
    bool row_per_event = false;           // and checked: one row an accepted event
    std::set<std::string> expected_codes; // SQLSTATEs that are rejections; any other ends the run
    bool again = false;                   // a rejected call is made again, from its first statement
    std::string accept_column;            // accepted only if this column of the last result …
    std::optional<std::string> accept_value; // … has this value, or is not null
};

// subject ÷ baseline; with a floor, of what is left when the floor's time is taken off both.
struct Comparison {
    std::string subject;
    std::string baseline;
    std::string floor;
};

// A scenario is run once for each combination of clients, commit and events.
struct Settings {
    std::vector<size_t> clients{1};
    std::vector<std::string> commit{"off"}; // values of synchronous_commit
    std::vector<size_t> events{1};          // a call
    size_t payload = 200;                   // bytes
    size_t streams = 100;                   // of each client
    std::vector<std::string> setup;         // files and statements, in order
};

struct Scenario {
    std::string name;
    std::string title;
    Settings settings;
    std::string needs; // a function without which the scenario is skipped
    std::vector<Variant> variants;
    std::vector<Comparison> comparisons; // none given: each variant with the first

    const Variant &variant(const std::string &name) const;
};

struct Suite {
    std::string title;
    std::vector<Scenario> scenarios;
};

Suite read_suite(const std::string &path);

} // namespace bench
