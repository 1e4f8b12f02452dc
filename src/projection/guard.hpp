// Keeps offsets to the calls that move them. advance and start_at write past triggers; whatever
// else touches the table meets the trigger, which asks here.
#pragma once

#include <string_view>

namespace arbiter::projection {

// While one lives, statements of this session may rewrite offsets. Not a setting, which anyone
// could set.
class OffsetsMayChange {
public:
    OffsetsMayChange() noexcept;
    ~OffsetsMayChange();
    OffsetsMayChange(const OffsetsMayChange &) = delete;
    OffsetsMayChange &operator=(const OffsetsMayChange &) = delete;
};

// RB003 unless one lives. command is the statement's first word.
void guard_offsets(std::string_view store, std::string_view command);

} // namespace arbiter::projection
