#include "log/fold.hpp"

#include "log/stream_name.hpp"
#include "pg/fold.hpp"

namespace arbiter::log {

namespace {

constexpr store::Query kEvents{
    "SELECT e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at "
    "FROM ONLY {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 ORDER BY e.revision",
    pg::Type::text};

constexpr pg::Signature kEvolve{
    .argument = "evolve",
    .declaration = "evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb",
    .never_null = "For an event that changes nothing, return the state as it was given.",
    .second = "recorded_event"};

constexpr pg::RowName kRowName{.format = "fold of stream \"%s\" at revision %lld",
                               .text = store::kStream,
                               .number = store::kRevision};

} // namespace

Folded fold(store::Store &store, std::string_view stream, std::string_view evolve, Datum initial,
            pg::Sees sees)
{
    check_stream_name(stream);
    Folded folded;
    pg::CallerFunction step(evolve, kEvolve);
    folded.state = pg::fold(store.statement(kEvents), {stream}, sees, step, kRowName, initial,
                            [&folded](const pg::FoundRow &row) {
                                folded.head = row.bigint(store::kRevision);
                                return !row.text(store::kType).starts_with(kReservedPrefix);
                            });
    return folded;
}

} // namespace arbiter::log
