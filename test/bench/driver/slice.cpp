#include "slice.hpp"

#include "machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <latch>
#include <thread>

namespace bench {
namespace {

uint64_t wal_position(Connection &monitor)
{
    const std::string bytes = monitor.scalar("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    return std::strtoull(bytes.c_str(), nullptr, 10);
}

double backend_cpu(const Clients &clients)
{
    double total = 0;
    for (const auto &client : clients)
        total += process_cpu(client->backend_pid());
    return total;
}

// CPU that went neither to this process nor to the server, its background processes included.
double strangers_cpu(Connection &monitor)
{
    double total = machine_cpu() - own_cpu();
    const Result processes = monitor.query("SELECT pid FROM pg_stat_activity");
    for (int i = 0; i < PQntuples(processes.get()); ++i)
        total -= process_cpu(std::atoi(PQgetvalue(processes.get(), i, 0)));
    return total;
}

// The clock starts when every thread is ready and ends with the last call.
Tally run_all(Clients &clients, double seconds, double &elapsed)
{
    const auto length =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<Tally> tallies(clients.size());
    std::vector<std::exception_ptr> failures(clients.size());
    std::vector<std::thread> threads;
    std::latch ready(static_cast<std::ptrdiff_t>(clients.size()) + 1);
    for (size_t i = 0; i < clients.size(); ++i) {
        threads.emplace_back([&, i] {
            ready.arrive_and_wait();
            try {
                tallies[i] = clients[i]->run_until(Clock::now() + length);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        });
    }
    ready.arrive_and_wait();
    const auto begin = Clock::now();
    for (std::thread &thread : threads)
        thread.join();
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    Tally total;
    for (size_t i = 0; i < clients.size(); ++i) {
        if (failures[i])
            std::rethrow_exception(failures[i]);
        total.add(tallies[i]);
    }
    return total;
}

} // namespace

Slice run_slice(Clients &clients, double seconds, Connection &monitor)
{
    Slice slice;
    const uint64_t wal = wal_position(monitor);
    const double strangers = strangers_cpu(monitor);
    const double cpu = backend_cpu(clients);
    slice.tally = run_all(clients, seconds, slice.seconds);
    slice.cpu = backend_cpu(clients) - cpu;
    slice.strangers = std::max(0.0, strangers_cpu(monitor) - strangers) / slice.seconds /
                      std::thread::hardware_concurrency();
    slice.wal = wal_position(monitor) - wal;
    return slice;
}

} // namespace bench
