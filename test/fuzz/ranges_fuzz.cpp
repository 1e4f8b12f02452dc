// What has been found settled is never said to reach further than what was found, whoever asks; and
// who has just found it is told all of it.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "feed/ranges.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    arbiter::feed::Ranges<int> ranges;
    std::set<std::int64_t> found[4]; // by whom
    for (std::size_t at = 0; at + 3 <= size; at += 3) {
        int const sight = data[at] & 3;
        std::int64_t const after = data[at + 1] & 0x3F, end = after + (data[at + 2] & 0x0F);
        auto const mine = [sight](int other) { return other == sight; };
        if (data[at] & 4) {
            ranges.add(after, end, sight, mine);
            for (std::int64_t position = after + 1; position <= end; ++position)
                found[sight].insert(position);
            if (ranges.end_behind(after, mine) < end)
                std::abort();
        }
        std::int64_t const told = ranges.end_behind(after, mine);
        for (std::int64_t position = after + 1; position <= told; ++position)
            if (!found[sight].contains(position))
                std::abort();
        if (ranges.size() > ranges.kMost)
            std::abort();
    }
    return 0;
}
