// The rules of the log for writers that do not come through append: raw INSERT, COPY, MERGE,
// triggers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::log {

// A row on its way into events, after the user's own triggers.
struct RawRow {
    std::string_view stream;
    std::int64_t revision;
    std::string_view type;
    Datum metadata;
    std::optional<std::int64_t> position; // where one is given
    bool recorded_at_given;
    bool own = false; // of the log itself, which writes its own types, and past a closing event
};

// Returns the position the row gets. A revision that is taken passes: the primary key refuses it,
// or ON CONFLICT DO NOTHING skips it. RB002, RB003, RB004, and what the governor says, for what no
// index would notice.
std::int64_t admit(store::Store &store, const RawRow &row);

// The same for an event that comes with position and time, in a statement of import_events.
void admit_recorded(const store::Store &store, const RawRow &row);

} // namespace arbiter::log
