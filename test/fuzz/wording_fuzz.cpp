// Whatever comment stands on an index, reading it refuses nothing; what a guard says comes back
// from the comment in which it was written.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.hpp"
#include "guard/wording.hpp"
#include "take.hpp"

using namespace arbiter;

static void require_same(const guard::Wording &wording)
{
    if (guard::from_comment(guard::to_comment(wording)) != wording)
        std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest{reinterpret_cast<const char *>(data), size};
    if (const auto wording = guard::from_comment(rest))
        require_same(*wording);
    // As the server's texts are: well-formed, and without a zero byte.
    if (find_malformed_utf8(rest) == kWellFormed && rest.find('\0') == std::string_view::npos) {
        guard::Wording wording{std::string(take_line(rest)), {}};
        if (!rest.empty())
            wording.hint = rest;
        require_same(wording);
    }
    return 0;
}
