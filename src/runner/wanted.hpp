// What there is to do in a store: statements that anybody could send, with the rights of its owner.
#pragma once

#include <string>
#include <vector>

#include "base/duration.hpp"
#include "runner/schedule.hpp"

namespace arbiter::runner {

// Names of the stores that belong to the role that looks; none where the extension is gone.
std::vector<std::string> own_stores();

// Reads only: who has nothing to do writes nothing. Nothing is wanted of a store that this library
// cannot write.
std::vector<Task> wanted(const std::string &store, Duration nap);

} // namespace arbiter::runner
