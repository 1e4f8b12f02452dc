#include "projection/guard.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/acting_role.hpp"
#include "pg/catalog.hpp"

namespace arbiter::projection {

namespace {
constinit int permits = 0;
}

OffsetsMayChange::OffsetsMayChange() noexcept
{
    ++permits;
}

// Runs while an error unwinds too: server errors are C++ exceptions on this side of pg::call.
OffsetsMayChange::~OffsetsMayChange()
{
    --permits;
}

void guard_offsets(std::string_view store, std::string_view table, std::string_view command)
{
    if (permits > 0)
        return;
    throw Failure(sqlstate::kAppendOnly,
                  "the " + std::string(table == "offsets" ? table : "cursors of projections") +
                      " of store \"" + std::string(store) + "\" are moved by calls only",
                  std::string(command) + " is refused, for every role: " +
                      (table == "offsets"
                           ? "an offset says what has been applied, and only the call that "
                             "decides may say so."
                           : "an event that a cursor jumped over would never be applied."),
                  table == "offsets"
                      ? "Use arbiter.advance or arbiter.start_at; arbiter.drop_projection forgets "
                        "them."
                      : "Use arbiter.run_projection or arbiter.rebuild_projection.");
}

void guard_owner(std::string_view owner)
{
    if (pg::has_rights_of(pg::current_role(), pg::find_role(owner)))
        return;
    throw Failure(sqlstate::kInsufficientPrivilege,
                  "permission denied to write a projection of role \"" + std::string(owner) + "\"",
                  "Its handler runs with the rights of that role, which role \"" +
                      pg::current_user() + "\" does not have.");
}

} // namespace arbiter::projection
