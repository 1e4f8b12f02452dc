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

// Counts the attempt; answers when the next one is due, as a timestamptz. Nothing where there is to
// be none: the event has been applied meanwhile (losing a race is no failure), or has now failed so
// often that a worker's async projection passes it. RB010 where it is not the entity's turn. Where
// workers have tokens, it takes one, RB020 unless it holds the stream, and gives that back.
std::optional<Datum> fail(store::Store &store, const Place &place, const FailedEvent &event,
                          std::optional<std::int64_t> token);

// The effect of an event has happened, says the worker whose token it is: moves the offset. False
// where it had said so before. RB020 unless the token holds the stream; it may have lapsed, as long
// as nobody has taken the stream since.
bool done(store::Store &store, const Place &place, std::int64_t revision, std::int64_t token);

// Moves the offset past the event and records the debt, in one commit. False where it has been
// applied or passed. 55000 where no reconciler would pay.
bool pass(store::Store &store, const Place &place, const FailedEvent &event);

} // namespace arbiter::projection
