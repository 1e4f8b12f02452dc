// Events in any order, as an import may be given them. What is taken is a history: in each stream
// revisions grow one by one with the positions, none is negative, and nothing but the log's own
// events follows a close.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "log/history.hpp"
#include "log/stream_name.hpp"

using namespace arbiter;
using namespace arbiter::log;

namespace {

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
// What a byte can mean: small numbers, and the ends.
std::int64_t number(std::uint8_t byte)
{
    return byte < 0xF0   ? std::int64_t{byte} - 4
           : byte < 0xF8 ? kMost - (byte - 0xF0)
                         : kLeast + (byte - 0xF8);
}

constexpr std::array<std::string_view, 4> kTypes{"t", kClosedType, kTruncatedType, kRedactedType};

struct Stream {
    std::int64_t revision, position;
    bool closed;
};

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    std::int64_t const handed_out = number(data[0]);
    History history(handed_out, 2);
    std::map<std::string_view, Stream> streams;
    std::map<std::string_view, Predecessor> written; // what a look-up in the store would find
    try {
        for (std::size_t at = 1; at + 3 <= size; at += 3) {
            static constexpr std::array<std::string_view, 4> kNames{"a", "b", "c", "d"};
            std::string_view const name = kNames[data[at] & 3];
            Place const event{number(data[at + 1]), name, number(data[at + 2]),
                              kTypes[data[at] >> 2 & 3]};
            auto before = history.find(name);
            if (!before && history.has_forgotten() && written.contains(name))
                before = written.at(name);
            history.add(event, before);
            require(event.revision >= 0 && event.position > 0 && event.position > handed_out);
            if (auto const known = streams.find(name); known != streams.end()) {
                require(event.revision > known->second.revision &&
                        event.revision - 1 == known->second.revision);
                require(event.position > known->second.position);
                require(!known->second.closed || event.type.front() == kReservedPrefix);
            }
            streams.insert_or_assign(
                name, Stream{event.revision, event.position, event.type == kClosedType});
            written.insert_or_assign(name, *history.find(name));
            history.forget_some();
        }
        history.finish();
    } catch (const Failure &) {
    }
    return 0;
}
