// The last event of a stream, as the next writer has to see it: not what a snapshot shows, but what
// is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "log/expectation.hpp"
#include "log/history.hpp"
#include "store/store.hpp"

namespace arbiter::log {

struct Head {
    std::int64_t revision = kNoRevision;
    std::int64_t position = 0;
    bool closed = false;
    bool written_by_me = false;       // by this transaction
    bool newer_than_snapshot = false; // a reader of this statement can't see it
};

// The revision behind the head; behind the last one there is it is a number all the same.
std::string describe_next(const Head &head);

// Waits for a writer of the stream that is still in flight.
Head find_head(const store::Store &store, std::string_view stream);

// The first revision that is still there, kNoRevision if there is none.
std::int64_t find_first(const store::Store &store, std::string_view stream);

// Whether there is a row at this revision; likewise waits for who is writing it.
bool is_taken(const store::Store &store, std::string_view stream, std::int64_t revision);

// The stream's last event, as the rules of a history ask for it; nothing if there is none.
std::optional<Predecessor> find_predecessor(const store::Store &store, std::string_view stream);

// For who follows whatever head there is. The serial order would have to put the append both after
// that head and, if anything was read before, in front of it. SSI can't see that: the head isn't
// read through a snapshot. 40001.
void refuse_unserializable(const Head &head);

// RB002, the same for every writer.
[[noreturn]] void refuse_closed(std::string_view stream, std::int64_t revision);

} // namespace arbiter::log
