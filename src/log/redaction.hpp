// What is left of a redacted event's metadata: the revision of the event that tells of it.
#pragma once

#include <cstdint>

#include "pg/types.hpp"

namespace arbiter::log {

Datum redacted_metadata(std::int64_t told);
bool is_redacted(Datum metadata);

} // namespace arbiter::log
