// A command on one entity: load, decide, append, and again from a fresh read where another writer
// was faster.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/uuid.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::command {

struct Command {
    std::string_view stream;
    Datum payload;           // jsonb, for decide
    std::string_view decide; // names of the caller's functions
    std::string_view evolve;
    Datum initial;
    std::optional<Uuid> id;   // recognises the same command when it comes again
    std::optional<Datum> key; // the natural key that the stream's name was made from
    Datum metadata;           // jsonb object, for every event
    bool lock;
    std::int64_t max_attempts;
};

enum class Outcome { applied, already, replayed };

struct Handled {
    Outcome outcome;
    std::int64_t revision; // of the command's last event; of the stream's last one if `already`
    std::int64_t attempts; // how often it was decided
};

// An error of decide or evolve passes as it is and is not tried again. Nothing that a discarded
// attempt has written survives. RB001 where the attempts are used up; in REPEATABLE READ and
// SERIALIZABLE there is one, since nothing can be read afresh there. RB002, RB043; 55000 for an id
// in a store that recognises none.
Handled handle(store::Store &store, const Command &command);

} // namespace arbiter::command
