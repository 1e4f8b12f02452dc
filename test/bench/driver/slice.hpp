#pragma once

#include "client.hpp"

#include <memory>
#include <vector>

namespace bench {

// What one variant did while it had the machine.
struct Slice {
    double seconds = 0;
    double cpu = 0;       // of its backends, seconds; not-a-number where the kernel does not tell
    double strangers = 0; // share of the CPUs that went to nobody of ours
    uint64_t wal = 0;     // bytes, of the whole cluster: nobody else writes meanwhile
    Tally tally;

    double rate() const { return static_cast<double>(tally.events) / seconds; }
    double per_event(double total) const { return total / static_cast<double>(tally.events); }
};

using Clients = std::vector<std::unique_ptr<Client>>;

Slice run_slice(Clients &clients, double seconds, Connection &monitor);

} // namespace bench
