// What lies before the workers of a projection: events behind the cursor, and of streams that were
// set aside.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "pg/spi.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// A projection whose events workers take. Views and values live as long as the Spi that read them.
struct Course {
    std::string_view name;
    bool has_tokens;
    pg::Value types;       // text[], or null for all
    pg::Value category;    // text, or null for all
    std::int64_t position; // of its cursor,
    pg::Value moved_at;    // which has not moved as long as it has both
};

// 42704, and 55000 for a projection that is driven in another way.
Course find_course(pg::Spi &spi, store::Store &store, std::string_view name);

struct Ahead {
    std::int64_t position;
    std::string_view stream;
    std::int64_t revision;
    bool is_applied;
    bool waits; // for an event of its stream that failed and is not due
};

// In the sight of the active snapshot, in the order of positions, up to a settled one.
std::vector<Ahead> look_ahead(pg::Spi &spi, store::Store &store, const Course &course,
                              std::int64_t after, std::int64_t settled, std::int64_t max_count);

struct Aside {
    std::unordered_set<std::string_view> streams;
    std::vector<Ahead> events;  // none that is applied or waits; max_count of a stream at most
    bool has_caught_up = false; // some stream has nothing left up to the cursor
};
Aside look_aside(pg::Spi &spi, store::Store &store, const Course &course, std::int64_t settled,
                 std::int64_t max_count);

// Where the cursor may go, and which streams have to be set aside so that it may.
struct Step {
    std::int64_t position;
    std::vector<std::string_view> stragglers;
    bool has_caught_up; // some stream that is set aside, perhaps
};

// Makes the step if nobody else has made one since the course was found, or is about to. What it
// decides by is what the course's snapshot showed; that only gets truer, except that streams may
// come back from aside, and then the cursor's time has changed.
void move_on(pg::Spi &spi, store::Store &store, const Course &course, const Step &step);

} // namespace arbiter::projection
