#include "runner/settings.hpp"

#include "pg/parameter.hpp"
#include "pg/session.hpp"

namespace arbiter::runner {

namespace {

using std::chrono::milliseconds;

constinit int workers_setting = 1;
constinit int nap_setting = 1000;
constinit int timeout_setting = 60'000;
constinit char *databases_setting = nullptr;

} // namespace

void define_settings()
{
    pg::define_names(
        "arbiter.runner_databases",
        "Names of the databases whose stores the runner serves; * for all but templates.",
        &databases_setting, "*");
    pg::define_count("arbiter.runner_workers",
                     "Processes of the runner for each owner of stores in a database; 0: none.",
                     &workers_setting, 0, 16);
    // DROP DATABASE waits five seconds for the others to leave; a worker looks once a nap.
    pg::define_time("arbiter.runner_nap",
                    "How long a worker of the runner sleeps where no commit wakes it.",
                    &nap_setting, 10, 3000);
    pg::define_time("arbiter.runner_timeout",
                    "How long a transaction of the runner may take; 0: as long as it likes.",
                    &timeout_setting, 0, 24 * 3600 * 1000);
}

std::int32_t workers() noexcept
{
    return workers_setting;
}

Duration nap() noexcept
{
    return milliseconds(nap_setting);
}

Duration timeout() noexcept
{
    return milliseconds(timeout_setting);
}

bool serves(std::string_view database)
{
    auto const names = pg::listed(databases_setting);
    if (!names)
        return false;
    for (const std::string &name : *names)
        if (name == "*" || name == database)
            return true;
    return false;
}

} // namespace arbiter::runner
