// What a store is made of, format by format.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace arbiter::store {

// The schema's name, quoted, goes where {store} stands.
inline constexpr std::string_view kPlaceholder = "{store}";

// A step makes a store of format n out of one of format n - 1; a new store is all steps in a row,
// so fresh and upgraded are the same by construction. A step is never edited once it has been on
// main: a later change to a store's tables is a new step (src/store/steps/NN_<noun>.hpp).
//
// The SQL uses built-in types only, and nothing that depends on the extension: DROP EXTENSION …
// CASCADE must leave every row. Names are qualified, since the caller's search_path may be
// anything.
struct Step {
    std::string_view sql;
    // Only where the store keeps event ids unique.
    std::string_view sql_with_unique_event_ids = {};
    // What drop_store runs, the last step first.
    std::string_view undo = {};
    // A query for statements that put back what DROP EXTENSION has taken from tables outside of the
    // store; no rows where nothing is missing. And the table of the store that it asks.
    std::string_view put_back = {};
    const char *put_back_from = nullptr;
};

std::span<const Step> steps() noexcept;

// What the steps make: tables, views and sequences, of the earlier formats too.
std::span<const char *const> relations() noexcept;
// Those of them that are tables.
std::span<const char *const> tables() noexcept;

// The format that this library reads and writes: the number of steps.
int current_format() noexcept;

// A trigger that keeps a table's rules for every writer. DROP EXTENSION takes triggers with it; a
// store without them is unarmed until upgrade_store puts them back.
struct Trigger {
    const char *table;
    const char *name;
    const char *function; // in schema arbiter
    const char *event;    // from BEFORE to FOR EACH ROW or STATEMENT
};

std::span<const Trigger> triggers() noexcept;

// Where the store has inline projections, and only there: it makes events more than a plain table.
const Trigger &inline_trigger() noexcept;

} // namespace arbiter::store
