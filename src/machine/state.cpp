#include "machine/state.hpp"

#include "pg/dirty_lookup.hpp"
#include "pg/spi.hpp"
#include "pg/text_array.hpp"

namespace arbiter::machine {

namespace {

constexpr store::Query kTypesBackwards{
    "SELECT e.type FROM ONLY {store}.events AS e WHERE e.stream OPERATOR(pg_catalog.=) $1 "
    "AND e.type OPERATOR(pg_catalog.=) ANY ($2) ORDER BY e.revision DESC LIMIT 1",
    pg::Type::text, pg::Type::text_array};

} // namespace

State find_state(const store::Store &store, const Machine &machine, std::string_view stream,
                 std::int64_t head)
{
    State state{&machine.initial(), log::kNoRevision};
    if (head == log::kNoRevision)
        return state;
    pg::IndexKey const key(stream);
    pg::dirty_search(store.events, store.primary_key, {&key, 1}, pg::Pick::last,
                     [&](const pg::FoundRow &row) {
                         std::int64_t const revision = row.bigint(store::kRevision);
                         const std::string *target =
                             revision > head ? nullptr : machine.target(row.text(store::kType));
                         if (target)
                             state = {target, revision};
                         return target != nullptr;
                     });
    return state;
}

std::string read_state(store::Store &store, const Machine &machine, std::string_view stream)
{
    auto const types = machine.types();
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kTypesBackwards),
                                  {stream, pg::Value::of(pg::text_array(types))}, pg::Sees::caller);
    return rows.empty() ? machine.initial() : *machine.target(rows.text(0, 0));
}

} // namespace arbiter::machine
