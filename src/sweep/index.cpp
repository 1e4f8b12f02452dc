#include "sweep/index.hpp"

#include "pg/planning.hpp"
#include "pg/row_predicate.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"

namespace arbiter::sweep {

// The planner is asked to go by index if it can. What is left to it then is the whole table.
bool has_index(const Definition &definition)
{
    pg::PortableSettings const portable;
    pg::PlannedByIndex const by_index(nullptr);
    pg::Spi spi;
    pg::Rows const plan =
        spi.run("EXPLAIN (COSTS OFF) SELECT FROM ONLY " + definition.relation + " WHERE " +
                    definition.predicate + " ORDER BY " + definition.order_by + " LIMIT 1",
                pg::Sees::fresh);
    for (std::uint64_t row = 0; row < plan.count(); ++row)
        if (plan.text(row, 0).find("Seq Scan on ") != std::string_view::npos)
            return false;
    return true;
}

// In the sweep's order; of the rows that are due, where an index can know them: due by the clock
// they become without being written.
std::string create_index(const Definition &definition)
{
    pg::PortableSettings const portable;
    bool const can_know = pg::is_immutable(definition.table, definition.predicate);
    return "CREATE INDEX ON " + definition.relation + " (" + definition.order_by + ")" +
           (can_know ? " WHERE " + definition.predicate : "");
}

} // namespace arbiter::sweep
