// Events whose effect failed: counted, put off, and, where a reconciler will pay, passed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pg/spi.hpp"
#include "projection/offset.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

struct FailedEvent {
    std::int64_t revision;
    std::string_view error;
    pg::Value event; // jsonb, or null
};

struct Attempt {
    std::int64_t attempts; // so far
    Datum next_at;         // timestamptz
};

// Counts an attempt of an event whose turn it is, behind the offset of its entity.
Attempt record_attempt(store::Store &store, const Place &place, std::int64_t applied,
                       const FailedEvent &event);

// Counts the attempt; answers when the next one is due, as a timestamptz. Nothing where the event
// has been applied meanwhile: losing a race is no failure. RB010 where it is not the entity's turn.
std::optional<Datum> fail(store::Store &store, const Place &place, const FailedEvent &event);

// Moves the offset past the event and records the debt, in one commit. False where it has been
// applied or passed. 55000 where no reconciler would pay.
bool pass(store::Store &store, const Place &place, const FailedEvent &event);

} // namespace arbiter::projection
