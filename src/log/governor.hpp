// Who besides the log has a say in what comes next in a stream. The log asks, at every write and
// whoever writes; who answers, it does not know.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "log/append.hpp"
#include "log/head.hpp"
#include "store/store.hpp"

namespace arbiter::log {

struct Governor {
    // Throws where one of the events may not follow what the stream holds up to its head and the
    // events before it. Events of which nobody has said anything must cost next to nothing.
    void (*judge)(store::Store &store, std::string_view stream, const Head &head,
                  std::span<const NewEvent> events);
    // Throws where an event before that revision is still needed to judge later ones.
    void (*judge_truncation)(store::Store &store, std::string_view stream, const Head &head,
                             std::int64_t before);
};

// Once, from _PG_init.
void appoint(const Governor &governor) noexcept;
const Governor &governor() noexcept;

} // namespace arbiter::log
