#include "identity/invisible.hpp"

#include <algorithm>
#include <iterator>

namespace arbiter::identity {
namespace {

struct Range {
    char32_t first, last;
};

constexpr Range kInvisible[] = {
#include "identity/invisible_table.inc"
};

} // namespace

bool is_invisible(char32_t code_point) noexcept
{
    const Range *range =
        std::lower_bound(std::begin(kInvisible), std::end(kInvisible), code_point,
                         [](const Range &range, char32_t point) { return range.last < point; });
    return range != std::end(kInvisible) && code_point >= range->first;
}

} // namespace arbiter::identity
