// Whether anything can be said of calls that take long.
#pragma once

namespace arbiter::observe {

// 55000 where the library is not preloaded: no row would say that no call is going on.
void require_told_progress();

} // namespace arbiter::observe
