// What an administrator can say about the runner.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/duration.hpp"

namespace arbiter::runner {

// Called from _PG_init while preloading.
void define_settings();

// How many at a time for each owner of stores in a database; 0 switches the runner off.
std::int32_t workers() noexcept;
// How long to sleep where no commit ends it.
Duration nap() noexcept;
// How long one transaction may take; zero: as long as it likes.
Duration timeout() noexcept;
bool serves(std::string_view database);

} // namespace arbiter::runner
