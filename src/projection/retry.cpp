#include "projection/retry.hpp"

#include <algorithm>

namespace arbiter::projection {

namespace {

std::int64_t go_on(Turn &turn, Batch &batch, const Held &held, std::int64_t max_count,
                   std::string_view why_it_waits)
{
    auto const events = read_stream(turn.spi(), turn.store(), turn.projection(), held.stream,
                                    held.applied, max_count);
    std::span<const Event> const all(events);
    auto const first = std::min<std::size_t>(1, all.size());
    batch.take_up(held.stream);
    batch.apply(all.first(first));
    batch.apply(all.subspan(first));
    auto const count = static_cast<std::int64_t>(all.size());
    if (batch.holds(held.stream))
        return count;
    Place const place{turn.projection().name, held.stream};
    if (count < max_count) {
        let_go(turn.store(), place);
    } else {
        keep_due(turn.store(), place, why_it_waits);
        batch.hold(held.stream);
    }
    return count;
}

} // namespace

std::int64_t catch_up(Turn &turn, Batch &batch, const Held &held, std::int64_t max_count)
{
    return go_on(turn, batch, held, max_count, kWaitsForTheRest);
}

std::optional<Retry> count_retry(Turn &turn, std::string_view stream)
{
    turn.require_handler();
    Place const place{turn.projection().name, stream};
    auto const held = find_held(turn.store(), place);
    if (!held)
        return std::nullopt;
    auto const next =
        read_stream(turn.spi(), turn.store(), turn.projection(), stream, held->applied, 1);
    if (next.empty()) {
        let_go(turn.store(), place);
        return std::nullopt;
    }
    hold_back(turn.store(), place, next.front().revision, kDidNotEnd);
    return Retry{*held, next.front().revision};
}

Retried make_retry(Turn &turn, const Retry &retry, std::int64_t max_count)
{
    Batch batch(turn.store(), turn.projection());
    batch.hold(retry.held.stream);
    batch.was_counted(retry.revision);
    if (retry.held.did_not_end)
        go_on(turn, batch, retry.held, 1, kDidNotEnd);
    else
        catch_up(turn, batch, retry.held, max_count);
    return {batch.applied(), batch.failed(), batch.failed() == 0 && batch.holds(retry.held.stream)};
}

} // namespace arbiter::projection
