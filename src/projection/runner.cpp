#include "projection/runner.hpp"

#include <string>

#include "base/failure.hpp"
#include "projection/batch.hpp"
#include "projection/held.hpp"
#include "projection/retry.hpp"

namespace arbiter::projection {

namespace {

void leave_out(Batch &batch, const std::vector<Held> &held)
{
    for (const Held &stream : held)
        batch.hold(stream.stream);
}

struct Reached {
    std::int64_t position;
    bool is_caught_up;
};

Reached follow_the_feed(Turn &turn, Batch &batch, std::int64_t max_count)
{
    auto const feed = read_feed(turn.store(), turn.projection(), max_count);
    batch.apply(feed.events);
    return {feed.position, feed.is_caught_up};
}

Ran result(const Batch &batch, const Reached &reached)
{
    return {.is_busy = false,
            .applied = batch.applied(),
            .failed = batch.failed(),
            .held_back = batch.held(),
            .position = reached.position,
            .is_caught_up = reached.is_caught_up};
}

} // namespace

void check_max_count(std::int64_t max_count)
{
    if (max_count < 1)
        throw Failure(sqlstate::kInvalidParameterValue, "argument \"max_count\" must be positive",
                      "It is " + std::to_string(max_count) + ".");
}

Ran run(store::Store &store, std::string_view name, std::int64_t max_count)
{
    check_max_count(max_count);
    Turn turn(store, name);
    if (turn.is_busy())
        return {.is_busy = true};
    turn.require_handler();
    Batch batch(store, turn.projection());
    auto const held = held_back(store, name);
    leave_out(batch, held);
    std::int64_t left = max_count;
    for (const Held &stream : held)
        if (stream.is_due && left > 0)
            left -= catch_up(turn, batch, stream, left);
    Reached reached{turn.projection().position, false};
    if (left > 0)
        reached = follow_the_feed(turn, batch, left);
    if (reached.position != turn.projection().position)
        turn.move_cursor(reached.position);
    return result(batch, reached);
}

Ran run_marked(Turn &turn, std::int64_t max_count)
{
    Batch batch(turn.store(), turn.projection());
    leave_out(batch, held_back(turn.store(), turn.projection().name));
    Reached const reached = follow_the_feed(turn, batch, max_count);
    if (reached.is_caught_up)
        turn.leave(reached.position);
    else
        turn.move_cursor(reached.position);
    return result(batch, reached);
}

} // namespace arbiter::projection
