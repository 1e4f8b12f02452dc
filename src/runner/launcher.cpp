#include "runner/processes.hpp"

#include <algorithm>
#include <chrono>

#include "pg/session.hpp"
#include "pg/signal.hpp"
#include "runner/settings.hpp"
#include "shared/wakeup.hpp"

namespace arbiter::runner {

namespace {

using namespace std::chrono_literals;
using Time = std::chrono::steady_clock::time_point;

constexpr Duration kBetweenRounds = 1min;
constexpr Duration kAtLeastBetweenRounds = 1s;

Duration since(Time then)
{
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - then);
}

// Sends a scout to each database. False where one of them has to be looked at again soon.
bool make_a_round()
{
    bool is_done = true;
    bool has_room = true;
    for (const pg::Database &database : pg::databases()) {
        if (workers() == 0 || !database.allows_connections || !serves(database.name))
            continue;
        // Nobody could make a copy of a template while we are in it.
        if (database.is_template)
            continue;
        if (pg::is_wanted_alone(database.id))
            is_done = false;
        else
            has_room &= start_scout(database.id);
    }
    if (!has_room)
        pg::log("the runner cannot look into every database",
                "Raise \"max_worker_processes\", or name fewer in \"arbiter.runner_databases\".");
    return is_done;
}

void sleep_until_wanted(pg::SignalWait &wait, Time round, Duration at_most)
{
    while (since(round) < at_most)
        if (wait.sleep(std::min(nap(), at_most)) || pg::heed_signals())
            break;
    pg::pause(kAtLeastBetweenRounds - since(round), pg::WaitEvent::launcher);
}

} // namespace

void launch()
{
    pg::begin_worker();
    pg::connect_to_no_database();
    for (;;) {
        pg::heed_signals();
        pg::tell_idle();
        pg::SignalWait wait(shared::kLauncherKey, pg::WaitEvent::launcher);
        Time const round = std::chrono::steady_clock::now();
        bool is_done = false;
        pg::outlive([&] { is_done = make_a_round(); });
        sleep_until_wanted(wait, round, is_done ? kBetweenRounds : kAtLeastBetweenRounds);
    }
}

} // namespace arbiter::runner
