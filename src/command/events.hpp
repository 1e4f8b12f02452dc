// What a decision becomes before it is stored: events with the ids and the metadata of the command.
#pragma once

#include <cstddef>
#include <vector>

#include "command/handle.hpp"
#include "log/append.hpp"

namespace arbiter::command {

// The id of the command's n-th event: the same whenever the same command comes again.
Uuid event_id(const Uuid &command, std::size_t n);

// 22023 where metadata would be taken for the key.
void require_no_key(Datum metadata);

// 22023 where decide has chosen an id although the command has one, or a key. The key goes to the
// first event.
void stamp(std::vector<log::NewEvent> &events, const Command &command, std::optional<Datum> key);

} // namespace arbiter::command
