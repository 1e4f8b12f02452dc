#include "projection/hand_out.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/failure.hpp"
#include "feed/horizon.hpp"
#include "pg/snapshot.hpp"
#include "pg/text_array.hpp"
#include "pg/transaction.hpp"
#include "projection/ahead.hpp"
#include "projection/offset.hpp"
#include "projection/runner.hpp"
#include "projection/source.hpp"

namespace arbiter::projection {

namespace {

// Behind the cursor everybody looks again at events that are applied, or wait. Where there are more
// of them, the streams that keep the cursor back are set aside.
constexpr std::int64_t kReach = 1000;
constexpr std::int64_t kMost = std::int64_t{1} << 40; // more events than a store has

// The rows of the streams are ours, so nothing of them can be applied behind our back; what was
// applied, or failed, until they became ours is seen here.
constexpr store::Query kTakenEvents{
    "SELECT e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata, e.recorded_at, "
    "t.token FROM pg_catalog.unnest($2) AS s (entity) "
    "CROSS JOIN LATERAL (SELECT t.taken_to, t.token, COALESCE((SELECT o.revision "
    "FROM {store}.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) $1 "
    "AND o.entity OPERATOR(pg_catalog.=) s.entity), -1) AS applied "
    "FROM {store}.taken_streams AS t WHERE t.projection OPERATOR(pg_catalog.=) $1 "
    "AND t.entity OPERATOR(pg_catalog.=) s.entity OFFSET 0) AS t "
    "CROSS JOIN LATERAL (SELECT e.* FROM ONLY {store}.events AS e "
    "WHERE e.stream OPERATOR(pg_catalog.=) s.entity "
    "AND e.revision OPERATOR(pg_catalog.>) t.applied "
    "AND e.revision OPERATOR(pg_catalog.<=) t.taken_to "
    "AND ($3 IS NULL OR e.type OPERATOR(pg_catalog.=) ANY ($3)) OFFSET 0) AS e "
    "WHERE (SELECT true FROM {store}.failed_events AS f "
    "WHERE f.projection OPERATOR(pg_catalog.=) $1 AND f.entity OPERATOR(pg_catalog.=) s.entity "
    "AND pg_catalog.num_nulls(f.passed_at) OPERATOR(pg_catalog.=) 1 "
    "AND f.revision OPERATOR(pg_catalog.>) t.applied "
    "AND f.next_attempt_at OPERATOR(pg_catalog.>) pg_catalog.clock_timestamp() LIMIT 1) IS NULL "
    "ORDER BY e.position",
    pg::Type::text, pg::Type::text_array, pg::Type::text_array};

void check_lease(const Course &course, const std::optional<Lease> &lease)
{
    std::string const name(course.name);
    if (course.has_tokens && (!lease || lease->length <= Duration::zero()))
        throw Failure(sqlstate::kInvalidParameterValue,
                      "workers of async projection \"" + name + "\" need a positive lease",
                      "It is how long the others wait for one that is lost.");
    if (!course.has_tokens && lease)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "workers of transactional projection \"" + name + "\" have no lease",
                      "They have a stream until their transaction ends.");
}

// A worker's way along the feed, until it has enough.
class Round {
public:
    Round(pg::Spi &spi, store::Store &store, const Course &course,
          const std::optional<Lease> &lease, std::int64_t max_count)
        : spi_(spi), store_(store), course_(course), taker_(store, course.name, lease),
          max_count_(max_count), left_(max_count)
    {
    }

    void run()
    {
        pg::StatementSnapshot const now;
        settled_ = feed::horizon(store_, course_.position);
        aside_ = look_aside(spi_, store_, course_, settled_, max_count_);
        take(aside_.events);
        tried_.insert(aside_.streams.begin(), aside_.streams.end());
        std::int64_t page = 2 * std::min(max_count_, kMost);
        for (bool is_last = false; left_ > 0 && !is_last; page = std::min(2 * page, kReach)) {
            auto const events = look_ahead(spi_, store_, course_,
                                           seen_.empty() ? course_.position : seen_.back().position,
                                           settled_, page);
            is_last = static_cast<std::int64_t>(events.size()) < page;
            is_at_end_ = is_last;
            seen_.insert(seen_.end(), events.begin(), events.end());
            take(events);
        }
    }

    std::span<const std::string_view> taken() const noexcept { return taken_; }

    void put_back(std::string_view stream) { taker_.put_back(stream); }

    void move_cursor()
    {
        Step const step = next_step();
        if (step.position > course_.position || step.has_caught_up)
            move_on(spi_, store_, course_, step);
    }

private:
    void take(std::span<const Ahead> events)
    {
        std::unordered_map<std::string_view, std::vector<std::int64_t>> revisions;
        std::vector<std::string_view> in_order;
        for (const Ahead &event : events) {
            if (event.is_applied || event.waits)
                continue;
            auto &of_stream = revisions[event.stream];
            if (of_stream.empty() && tried_.insert(event.stream).second)
                in_order.push_back(event.stream);
            of_stream.push_back(event.revision);
        }
        for (std::string_view stream : in_order) {
            if (left_ == 0)
                return;
            auto const &all = revisions[stream];
            auto const count = std::min(left_, static_cast<std::int64_t>(all.size()));
            if (!taker_.take(stream, all[static_cast<std::size_t>(count - 1)]))
                continue;
            taken_.push_back(stream);
            left_ -= count;
        }
    }

    Step next_step() const
    {
        Step step{
            .position = course_.position, .stragglers = {}, .has_caught_up = aside_.has_caught_up};
        auto const looked_at_for_nothing = [](const Ahead &event) {
            return event.is_applied || event.waits;
        };
        auto in_vain = std::ranges::count_if(seen_, looked_at_for_nothing);
        std::size_t passed = 0;
        if (in_vain > kReach)
            for (; in_vain > kReach / 2; ++passed)
                in_vain -= looked_at_for_nothing(seen_[passed]) ? 1 : 0;
        std::set<std::string_view> stragglers;
        for (const Ahead &event : std::span(seen_).first(passed))
            if (!event.is_applied && !aside_.streams.contains(event.stream))
                stragglers.insert(event.stream);
        step.stragglers.assign(stragglers.begin(), stragglers.end());
        while (passed < seen_.size() &&
               (seen_[passed].is_applied || stragglers.contains(seen_[passed].stream) ||
                aside_.streams.contains(seen_[passed].stream)))
            ++passed;
        if (passed > 0)
            step.position = seen_[passed - 1].position;
        if (passed == seen_.size() && is_at_end_)
            step.position = settled_;
        return step;
    }

    pg::Spi &spi_;
    store::Store &store_;
    const Course &course_;
    Taker taker_;
    std::int64_t const max_count_;
    std::int64_t left_;
    std::int64_t settled_ = 0;
    Aside aside_;
    bool is_at_end_ = false;
    std::vector<Ahead> seen_;
    std::set<std::string_view> tried_;
    std::vector<std::string_view> taken_;
};

} // namespace

void hand_out(store::Store &store, std::string_view projection, std::int64_t max_count,
              const std::optional<Lease> &lease,
              const std::function<void(const pg::Rows &, std::uint64_t row)> &emit)
{
    check_max_count(max_count);
    open_offsets(store, projection); // nobody drops it now
    require_all_events(store);
    pg::Spi spi;
    Course const course = find_course(spi, store, projection);
    check_lease(course, lease);
    Round round(spi, store, course, lease, max_count);
    round.run();
    if (!round.taken().empty()) {
        // A crash that forgot it would give the stream to a second worker while the first is at it.
        if (course.has_tokens)
            pg::force_synchronous_commit();
        pg::Rows const rows =
            spi.run(store.statement(kTakenEvents),
                    {projection, pg::Value::of(pg::text_array(round.taken())), course.types},
                    pg::Sees::fresh);
        std::set<std::string_view> empty(round.taken().begin(), round.taken().end());
        for (std::uint64_t row = 0; row < rows.count(); ++row) {
            empty.erase(rows.text(row, 1));
            emit(rows, row);
        }
        if (course.has_tokens)
            for (std::string_view stream : empty)
                round.put_back(stream);
    }
    round.move_cursor();
}

} // namespace arbiter::projection
