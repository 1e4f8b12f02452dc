// The guarded append: an arbiter. It holds for every writer because the table's primary key
// decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/uuid.hpp"
#include "log/expectation.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::log {

struct NewEvent {
    std::string_view type;
    Datum data;     // jsonb
    Datum metadata; // jsonb, an object
    std::optional<Uuid> id;
};

enum class Outcome { appended, replayed, conflict, closed };

struct Appended {
    Outcome outcome;
    std::int64_t revision; // of the last event written now or, replayed, then
    std::int64_t current;  // the stream's last revision, where the outcome is a refusal
};

// All events or none, under one expectation. Names and types are checked here, privileges are not.
// RB005 where an id is known and this is not a retry of the append that wrote it.
Appended try_append(store::Store &store, std::string_view stream, Expectation expected,
                    std::span<const NewEvent> events);

// The same, with a refusal as an error: RB001, RB002.
std::int64_t append(store::Store &store, std::string_view stream, Expectation expected,
                    std::span<const NewEvent> events);

} // namespace arbiter::log
