// Rows that a sweep has just tried: it leaves them alone for a while. A hint.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/store.hpp"

namespace arbiter::sweep {

// Whether it came to nothing: the rest grows with each time. Done is done; the row is only left
// alone until whatever makes it due has had the time to notice.
enum class After { done, already, failed };

void rest(store::Store &store, std::string_view sweep, std::string_view key, After after,
          const std::optional<std::string> &error);

// Forgets rests that are long over, of rows that are not due any more.
void forget_old_rests(store::Store &store, std::string_view sweep);

} // namespace arbiter::sweep
