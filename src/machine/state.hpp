// Which state a stream is in: that of its last event of the machine's types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "log/head.hpp"
#include "machine/machine.hpp"
#include "store/store.hpp"

namespace arbiter::machine {

struct State {
    const std::string *name;
    std::int64_t revision; // of the event that led there; kNoRevision in the initial state
};

// As the next writer has to see it, behind this head, which is settled: not what a snapshot shows.
// Looks backwards, over every event behind the last one of the machine.
State find_state(const store::Store &store, const Machine &machine, std::string_view stream,
                 std::int64_t head);

// As the calling statement sees it.
std::string read_state(store::Store &store, const Machine &machine, std::string_view stream);

} // namespace arbiter::machine
