// Ids that nobody can guess and that mean nothing, and chance where it need not be good.
#pragma once

#include "base/uuid.hpp"

namespace arbiter::pg {

Uuid random_uuid(); // version 4

// From [0, 1), for spreading things out. Cheap, and predictable to who tries.
double random_fraction() noexcept;

} // namespace arbiter::pg
