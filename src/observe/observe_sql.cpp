#include "pg/entry.hpp"

#include "observe/doctor.hpp"
#include "observe/help.hpp"
#include "observe/progress.hpp"
#include "pg/arguments.hpp"
#include "pg/result_set.hpp"
#include "shared/counters.hpp"
#include "shared/progress.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_doctor)
{
    pg::Arguments arguments(fcinfo);
    auto const findings = observe::examine(arguments.text(0, "store"));
    pg::ResultSet rows(fcinfo);
    for (const observe::Finding &finding : findings)
        rows.add(
            {std::string_view(finding.severity == observe::Severity::error ? "error" : "warning"),
             std::string_view(finding.subject), std::string_view(finding.problem),
             std::string_view(finding.remedy)});
    return 0;
}

ARBITER_FUNCTION(arbiter_counted)
{
    pg::ResultSet rows(fcinfo);
    for (const shared::Counted &counted : shared::counted()) {
        auto const of = [&](shared::Outcome outcome) {
            return static_cast<std::int64_t>(counted.counts[static_cast<std::size_t>(outcome)]);
        };
        rows.add({static_cast<std::int64_t>(counted.schema),
                  std::string_view(shared::name(counted.noun)), of(shared::Outcome::done),
                  of(shared::Outcome::already), of(shared::Outcome::conflict),
                  of(shared::Outcome::replayed), of(shared::Outcome::waited),
                  std::string_view(shared::counts_all_sessions() ? "server" : "session")});
    }
    return 0;
}

ARBITER_FUNCTION(arbiter_going_on)
{
    observe::require_told_progress();
    pg::ResultSet rows(fcinfo);
    for (const shared::Going &going : shared::going_on())
        rows.add({going.process, static_cast<std::int64_t>(going.schema),
                  std::string_view(shared::name(going.call)), std::string_view(going.object),
                  going.done, going.total ? pg::Value(*going.total) : pg::Value::null(),
                  std::string_view(shared::unit(going.call)), pg::Value::of(going.since)});
    return 0;
}

ARBITER_FUNCTION(arbiter_help)
{
    pg::Arguments arguments(fcinfo);
    auto const lines = observe::help(arguments.text(0, "topic"));
    pg::ResultSet rows(fcinfo, pg::Columns::one);
    for (const std::string &line : lines)
        rows.add({std::string_view(line)});
    return 0;
}
