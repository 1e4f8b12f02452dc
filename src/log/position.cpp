#include "log/position.hpp"

#include <limits>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/sequence.hpp"
#include "store/positions.hpp"

namespace arbiter::log {

std::int64_t draw_position(const store::Store &store, const Head &head)
{
    if (!pg::first_drawn_here(store.position_sequence))
        store::require_order(store);
    std::int64_t const position = pg::draw(store.position_sequence);
    // Readers take the greatest number for "none".
    if (position == std::numeric_limits<std::int64_t>::max())
        throw Failure(sqlstate::kProgramLimitExceeded,
                      "store \"" + store.name + "\" has used up its positions");
    if (position <= head.position)
        throw Failure(
            sqlstate::kNotInPrerequisiteState,
            "position " + std::to_string(position) + " lies before the stream's last event",
            "The sequence events_position of store \"" + store.name +
                "\" has been set back: the last event has position " +
                std::to_string(head.position) + ".",
            "Run SELECT * FROM arbiter.doctor(" + quote_literal(store.name) + ") for the remedy.");
    return position;
}

} // namespace arbiter::log
