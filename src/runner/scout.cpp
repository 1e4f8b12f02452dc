// Looks for stores in a database, and sees to it that their owners have workers. It asks the
// catalog and nothing else: in a store it would run, as the server's superuser, what the store's
// owner has put there.
#include "runner/processes.hpp"

#include <string>
#include <utility>
#include <vector>

#include "pg/session.hpp"
#include "pg/spi.hpp"
#include "runner/settings.hpp"
#include "shared/runners.hpp"

namespace arbiter::runner {

namespace {

constexpr const char *kOwners =
    "SELECT r.oid::pg_catalog.int8, r.rolname::pg_catalog.text, r.rolcanlogin AND "
    "pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database()::pg_catalog.text, "
    "'CONNECT') "
    "FROM pg_catalog.pg_roles AS r WHERE EXISTS ("
    "SELECT FROM pg_catalog.pg_class AS c WHERE c.relname OPERATOR(pg_catalog.=) 'arbiter_store' "
    "AND c.relkind OPERATOR(pg_catalog.=) 'r' AND c.relpersistence OPERATOR(pg_catalog.=) 'p' "
    "AND c.relowner OPERATOR(pg_catalog.=) r.oid) "
    "AND EXISTS (SELECT FROM pg_catalog.pg_extension AS x "
    "WHERE x.extname OPERATOR(pg_catalog.=) 'arbiter') ORDER BY r.oid";

constinit std::int32_t my_place = 0;

void leave()
{
    shared::vacate(my_place);
}

std::vector<Oid> owners()
{
    enum { kId, kName, kMayConnect };
    std::vector<Oid> found;
    pg::in_transaction([&] {
        pg::Spi spi;
        pg::Rows const rows = spi.run(kOwners, pg::Sees::caller);
        for (std::uint64_t row = 0; row < rows.count(); ++row) {
            if (rows.boolean(row, kMayConnect))
                found.push_back(static_cast<Oid>(rows.bigint(row, kId)));
            else
                pg::log("the runner does not serve the stores of role \"" +
                            std::string(rows.text(row, kName)) + "\", which may not log in here",
                        "It acts as the owner of a store.");
        }
    });
    return found;
}

} // namespace

void scout(std::int32_t place)
{
    my_place = place;
    auto const post = shared::occupy(place);
    pg::at_end_of_process(leave);
    pg::begin_worker();
    pg::connect(post.database, 0);
    pg::name_session("arbiter scout");
    bool has_room = true;
    for (Oid const owner : owners())
        has_room &= start_worker(post.database, owner, workers());
    if (!has_room)
        pg::log("the runner has no room for a worker",
                "Raise \"max_worker_processes\", or lower \"arbiter.runner_workers\".");
}

} // namespace arbiter::runner
