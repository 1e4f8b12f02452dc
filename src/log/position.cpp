#include "log/position.hpp"

#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/sequence.hpp"

namespace arbiter::log {

std::int64_t draw_position(const store::Store &store, const Head &head)
{
    std::int64_t const position = pg::next_value(store.position_sequence);
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
