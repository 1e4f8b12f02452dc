// A worker as a client of the server: it connects to a database, and sends statements.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.hpp"
#include "pg/types.hpp"

namespace arbiter::pg {

// In the role's own name, so that whatever runs in the session has no rights but his. kNoOid is the
// server's own superuser.
void connect(Oid database, Oid role);
// No database: only what all of them share can be read.
void connect_to_no_database();

struct Database {
    Oid id;
    std::string name;
    bool is_template;
    bool allows_connections;
};
std::vector<Database> databases();

// Of a setting that lists names, as identifiers; nothing where it does not parse.
std::optional<std::vector<std::string>> listed(const char *names);

// Somebody wants the database for himself: to drop, rename or copy it. Who is connected is in the
// way.
bool is_wanted_alone(Oid database);

// What pg_stat_activity says.
void name_session(const std::string &application);
void tell_activity(const std::string &what);
void tell_idle();

namespace detail {
void begin_transaction();
void commit_transaction();
} // namespace detail

// One statement, as a client would send it: one that commits as it goes may. At each of its
// commits the time begins anew; where it is up the process ends, as if it had been lost.
// Zero: no limit.
void execute(const std::string &statement, Duration limit);

// Runs body in a transaction.
template <typename Body>
void in_transaction(Body &&body)
{
    detail::begin_transaction();
    body();
    detail::commit_transaction();
}

// The outer loop's way to outlive an error: it goes to the server's log, and what was going on is
// rolled back. False where there was one.
bool outlive(void (*body)(void *), void *closure);
template <typename Body>
bool outlive(Body &&body)
{
    return outlive(
        [](void *closure) { (*static_cast<std::remove_reference_t<Body> *>(closure))(); }, &body);
}

} // namespace arbiter::pg
