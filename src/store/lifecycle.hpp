// Making, upgrading and dropping a store.
#pragma once

#include <string_view>

namespace arbiter::store {

// One definition at a time in a store, so that the replica which comes second finds what the first
// has made. Only for comfort: unique indexes are the arbiter behind it.
void serialize_definition(std::string_view store);

// 40001: the definition is there, but newer than the snapshot of REPEATABLE READ, so that our
// statements do not see its row and would do nothing.
[[noreturn]] void refuse_unseen_definition();

enum class Made { created, existed };

// Identical again is `existed`; another definition is 42710, a schema whose names clash is 42P07
// from the server. Safe when every replica runs it at boot at once.
Made create(std::string_view name, bool unique_event_ids);

// Applies the steps that are missing and puts the triggers back. Owner only, by the server's own
// rules.
enum class Upgraded { changed, unchanged };
Upgraded upgrade(std::string_view name);

// The trigger of inline projections, for the first one that is made and the last one dropped.
void arm_inline(std::string_view name);
void disarm_inline(std::string_view name);

// 2BP01 while it holds events, unless forced. What is in the schema besides the store stays, and
// with it the schema.
void drop(std::string_view name, bool force);

} // namespace arbiter::store
