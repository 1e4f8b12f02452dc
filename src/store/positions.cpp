#include "store/positions.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/sequence.hpp"

namespace arbiter::store {

void require_order(const Store &store)
{
    if (pg::hands_out_in_order(store.position_sequence))
        return;
    throw Failure(sqlstate::kNotInPrerequisiteState,
                  "the positions of store \"" + store.name + "\" are not handed out in order",
                  "The sequence events_position must have CACHE 1, a positive increment and NO "
                  "CYCLE, or events could appear behind a reader.",
                  "Run ALTER SEQUENCE " + quote_identifier(store.name) +
                      ".events_position INCREMENT 1 CACHE 1 NO CYCLE.");
}

} // namespace arbiter::store
