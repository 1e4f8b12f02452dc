// The events that a projection is shown, from the feed or from one stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pg/spi.hpp"
#include "pg/types.hpp"
#include "projection/definition.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// A projection that a runner has taken on. Views and values live as long as the Spi that read them.
struct Runnable {
    std::string_view name;
    Kind kind;
    bool strict;
    std::int64_t max_attempts;
    std::string_view handler; // empty where workers apply the effects
    pg::Value types;          // text[], or null for all
    std::optional<std::string_view> category;
    std::int64_t position; // of its cursor
};

struct Event {
    std::int64_t position;
    std::string_view stream;
    std::int64_t revision;
    // What the log itself has written is for those who name its type; of what was redacted, nothing
    // is left to show. The offset goes past both.
    bool is_shown;
    Datum row; // arbiter.recorded_event
};

// Of the current role: 42501 without SELECT, 0A000 where row security hides events. For who reads
// them past the executor, which would ask.
void require_all_events(const store::Store &store);

struct Feed {
    std::vector<Event> events;
    std::int64_t position; // every event up to it was looked at
    bool is_caught_up;
};

// As the active snapshot sees it: the next events behind the cursor, as far as they are settled,
// and as many as asked for that the projection wants.
Feed read_feed(store::Store &store, const Runnable &projection, std::int64_t max_count);

// The same without asking whether it is settled, for who has locked out every writer: what this
// transaction has written is among it.
std::vector<Event> read_log(store::Store &store, const Runnable &projection,
                            std::int64_t max_count);

// Of a stream that was held back: behind its offset, up to the cursor.
std::vector<Event> read_stream(pg::Spi &spi, store::Store &store, const Runnable &projection,
                               std::string_view stream, std::int64_t applied,
                               std::int64_t max_count);

// One of them, whatever the filters; none where it is gone.
std::vector<Event> read_event(pg::Spi &spi, store::Store &store, std::string_view stream,
                              std::int64_t revision);

} // namespace arbiter::projection
