// Ids that nobody can guess and that mean nothing.
#pragma once

#include "base/uuid.hpp"

namespace arbiter::pg {

Uuid random_uuid(); // version 4

} // namespace arbiter::pg
