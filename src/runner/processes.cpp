#include "runner/processes.hpp"

#include "runner/settings.hpp"
#include "shared/runners.hpp"

namespace arbiter::runner {

namespace {

constexpr pg::WorkerKind kLauncher{"arbiter launcher", "arbiter_runner_launch"};
constexpr pg::WorkerKind kScout{"arbiter scout", "arbiter_runner_scout"};
constexpr pg::WorkerKind kWorker{"arbiter runner", "arbiter_runner_work"};

bool start(const pg::WorkerKind &kind, const shared::Post &post, std::int32_t most)
{
    auto const reserved = shared::reserve(post, most);
    if (!reserved.place)
        return reserved.refusal == shared::Refusal::enough;
    if (pg::start_worker(kind, kind.type, *reserved.place))
        return true;
    shared::give_up(*reserved.place, post);
    return false;
}

} // namespace

void initialize()
{
    if (!pg::is_preloading())
        return;
    define_settings();
    if (!pg::is_being_upgraded())
        pg::register_worker(kLauncher);
}

bool start_scout(Oid database)
{
    return start(kScout, {database, 0}, 1);
}

bool start_worker(Oid database, Oid role, std::int32_t most)
{
    bool has_room = true;
    for (std::int32_t i = 0; i < most && has_room; ++i)
        has_room = start(kWorker, {database, role}, most);
    return has_room;
}

} // namespace arbiter::runner
