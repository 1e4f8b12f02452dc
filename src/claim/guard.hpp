// Keeps claims honest against whoever writes the table by hand. The calls write past triggers;
// everything else meets the trigger, which asks here.
#pragma once

#include <string_view>

#include "claim/state.hpp"

namespace arbiter::claim {

// While one lives, statements of this session may delete claims. Not a setting, which anyone could
// set.
class ClaimsMayVanish {
public:
    ClaimsMayVanish() noexcept;
    ~ClaimsMayVanish();
    ClaimsMayVanish(const ClaimsMayVanish &) = delete;
    ClaimsMayVanish &operator=(const ClaimsMayVanish &) = delete;
};

// RB003 unless one lives: without its row, what has been done could be claimed again.
void guard_removal(std::string_view store, std::string_view command);

// RB003 where the rules of state.hpp forbid the change.
void guard_change(std::string_view store, Standing from, Standing to, bool same_key);

} // namespace arbiter::claim
