#include "runner/processes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "pg/session.hpp"
#include "pg/signal.hpp"
#include "runner/schedule.hpp"
#include "runner/settings.hpp"
#include "runner/wanted.hpp"
#include "shared/runners.hpp"
#include "shared/wakeup.hpp"

namespace arbiter::runner {

namespace {

constinit std::int32_t my_place = 0;
constinit bool has_served = false;

// The next one is to come at once, and not when somebody happens to look; but who could not even
// connect would be followed by many who cannot.
void leave()
{
    shared::vacate(my_place);
    if (has_served)
        pg::signal(shared::kLauncherKey);
}

class SteadyClock : public Clock {
public:
    Moment now() const override
    {
        return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
    }
};

class Worker {
public:
    // False where there is nothing left to serve.
    bool take_a_turn(pg::SignalWait &wait)
    {
        auto const tasks = look();
        if (!has_stores_)
            return false;
        auto const due = schedule_.due(tasks);
        for (const Task &task : due)
            do_it(task);
        if (due.empty()) {
            pg::tell_idle();
            wait.sleep(std::min(schedule_.rest(), nap()));
        }
        return true;
    }

private:
    // A store that cannot be looked at is left alone for a while, and is in nobody's way.
    std::vector<Task> look()
    {
        std::vector<Task> stores;
        pg::in_transaction([&] {
            for (std::string &name : own_stores())
                stores.push_back({.statement = std::move(name)});
        });
        has_stores_ = !stores.empty();
        std::vector<Task> tasks;
        for (const Task &store : looks_.due(stores))
            if (!pg::outlive([&] {
                    pg::in_transaction([&] {
                        for (Task &task : wanted(store.statement, nap()))
                            tasks.push_back(std::move(task));
                    });
                }))
                looks_.failed(store);
        return tasks;
    }

    void do_it(const Task &task)
    {
        if (pg::heed_signals())
            pg::end_worker();
        if (pg::outlive([&] { pg::execute(task.statement, timeout()); }))
            schedule_.did(task);
        else
            schedule_.failed(task);
        pg::tell_idle();
    }

    SteadyClock clock_;
    Schedule schedule_{clock_};
    Schedule looks_{clock_};
    bool has_stores_ = false;
};

} // namespace

// With other settings another one begins anew.
void work(std::int32_t place)
{
    my_place = place;
    auto const post = shared::occupy(place);
    pg::at_end_of_process(leave);
    pg::begin_worker();
    pg::connect(post.database, post.role);
    has_served = true;
    pg::name_session("arbiter runner");
    Worker worker;
    for (bool goes_on = true; goes_on;) {
        if (pg::heed_signals() || pg::is_wanted_alone(post.database))
            return;
        pg::SignalWait wait(shared::runner_key(post.database), pg::WaitEvent::runner);
        goes_on = worker.take_a_turn(wait);
    }
}

} // namespace arbiter::runner
