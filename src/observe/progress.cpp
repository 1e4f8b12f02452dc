#include "observe/progress.hpp"

#include "base/failure.hpp"
#include "shared/progress.hpp"

namespace arbiter::observe {

void require_told_progress()
{
    if (!shared::tells_progress())
        throw Failure(sqlstate::kNotInPrerequisiteState, "no session tells of its progress",
                      "That takes shared memory, which the library has only where it is preloaded.",
                      "Put arbiter into shared_preload_libraries and restart the server.");
}

} // namespace arbiter::observe
