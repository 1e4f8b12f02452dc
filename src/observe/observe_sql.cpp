#include "pg/entry.hpp"

#include "observe/doctor.hpp"
#include "observe/help.hpp"
#include "pg/arguments.hpp"
#include "pg/result_set.hpp"
#include "shared/counters.hpp"

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

ARBITER_FUNCTION(arbiter_session_stats)
{
    pg::ResultSet rows(fcinfo);
    for (std::size_t noun = 0; noun < shared::kNouns; ++noun) {
        auto const &counted = shared::counters()[noun];
        auto const of = [&](shared::Outcome outcome) {
            return static_cast<std::int64_t>(counted[static_cast<std::size_t>(outcome)]);
        };
        rows.add({std::string_view(shared::name(static_cast<shared::Noun>(noun))),
                  of(shared::Outcome::done), of(shared::Outcome::already),
                  of(shared::Outcome::conflict), of(shared::Outcome::replayed),
                  of(shared::Outcome::waited)});
    }
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
