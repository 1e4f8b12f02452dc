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

namespace {

// What the calls that move a table's rows guard, and which they are.
struct Wording {
    std::string_view table;
    const char *what, *reason, *hint;
};
constexpr Wording kWordings[] = {
    {"offsets", "offsets",
     "an offset says what has been applied, and only the call that decides may say so.",
     "Use arbiter.advance or arbiter.start_at; arbiter.drop_projection forgets them."},
    {"projection_cursors", "cursors of projections",
     "an event that a cursor jumped over would never be applied.",
     "Use arbiter.run_projection or arbiter.rebuild_projection."},
    {"taken_streams", "taken streams",
     "a token that went back would let two workers have one stream.",
     "A lease that is up frees its stream; arbiter.done_event and arbiter.fail_event do at once."},
    {"streams_set_aside", "streams set aside",
     "what is left of a stream that was forgotten would never be applied.",
     "arbiter.next_events takes them back."},
};

const Wording &wording_of(std::string_view table)
{
    for (const Wording &wording : kWordings)
        if (wording.table == table)
            return wording;
    return kWordings[0];
}

} // namespace

void guard_offsets(std::string_view store, std::string_view table, std::string_view command)
{
    if (permits > 0)
        return;
    Wording const &wording = wording_of(table);
    throw Failure(sqlstate::kAppendOnly,
                  std::string("the ") + wording.what + " of store \"" + std::string(store) +
                      "\" are moved by calls only",
                  std::string(command) + " is refused, for every role: " + wording.reason,
                  wording.hint);
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
