// Idempotency by event id: the answer to a caller whose acknowledgement was lost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "log/append.hpp"

namespace arbiter::log {

struct Stored {
    std::int64_t revision;
    std::string_view type;
};

// The event of the stream with this id, as it is now: its writer is waited for.
std::optional<Stored> find_event(const store::Store &store, std::string_view stream,
                                 const Uuid &id);

// 55000 for a command's id where it would not be recognised.
[[noreturn]] void refuse_command_id(const store::Store &store, const char *call);

// The revision of the batch's last event if this very append has been stored before, nothing if
// none of its ids is known. Anything in between is RB005: an id was used for something else.
std::optional<std::int64_t> find_replay(const store::Store &store, std::string_view stream,
                                        Expectation expected, std::span<const NewEvent> events);

} // namespace arbiter::log
