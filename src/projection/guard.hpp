// Keeps offsets and cursors to the calls that move them, which write past triggers; whatever else
// touches the tables meets the trigger, which asks here. Keeps a projection's name for its owner.
#pragma once

#include <string_view>

namespace arbiter::projection {

// While one lives, statements of this session may rewrite offsets and cursors. Not a setting, which
// anyone could set.
class OffsetsMayChange {
public:
    OffsetsMayChange() noexcept;
    ~OffsetsMayChange();
    OffsetsMayChange(const OffsetsMayChange &) = delete;
    OffsetsMayChange &operator=(const OffsetsMayChange &) = delete;
};

// RB003 unless one lives. table is offsets or what goes with them, command the statement's first
// word.
void guard_offsets(std::string_view store, std::string_view table, std::string_view command);

// A handler runs with the rights of the projection's owner. So nobody writes a row in the name of
// somebody whose rights he does not have: 42501.
void guard_owner(std::string_view owner);

} // namespace arbiter::projection
