// A command on an entity whose states a machine governs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/uuid.hpp"
#include "machine/machine.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::machine {

struct Command {
    std::string_view entity;
    std::string_view name;
    Datum data;             // jsonb, of the event
    std::optional<Uuid> id; // recognises the same command when it comes again
};

enum class Outcome { applied, already, replayed };

struct Transitioned {
    Outcome outcome;
    std::string state;     // that the command led to, now or then
    std::int64_t revision; // of its event; of the stream's last one if `already`
};

// `already` only where the state, as it is and not as a snapshot shows it, is the one state that
// the command ever leads to. RB030 where the state knows no such command; 42704 where no state
// does. RB002, RB005; 55000 for an id in a store that recognises none. In REPEATABLE READ and
// SERIALIZABLE there is one attempt: RB001 where another writer was faster, 40001 where the stream
// is newer than a serializable snapshot.
Transitioned transition(store::Store &store, const Machine &machine, const Command &command);

} // namespace arbiter::machine
