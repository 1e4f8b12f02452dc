// Judging appends before anything is written: a wrong expectation ends here and burns no position.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "log/append.hpp"
#include "log/head.hpp"

namespace arbiter::log {

struct Judgement {
    std::vector<Head> heads;
    // Where something is to be written: what the answers are once it is.
    std::vector<Appended> answers;
    bool to_be_written = false;

    bool same_heads(const Judgement &other) const noexcept;
};

// Lets writers that name no revision queue: they can't lose, and would only wake each other in
// vain. A serializer, for speed; the judgement below does not need it.
void queue(const store::Store &store, std::span<const Request> requests);
void queue(const store::Store &store, std::string_view stream);

// Waits for writers of the streams that are still in flight. 40001 where SERIALIZABLE would be
// broken; and what the governor says of events that could be written.
Judgement judge(store::Store &store, std::span<const Request> requests);

// The frozen form of RB001's detail.
std::string describe_conflict(std::string_view stream, std::int64_t expected, std::int64_t actual);

// RB001 or RB002 with every refusal in the detail, one a line.
void refuse_if_any(std::span<const Request> requests, std::span<const Appended> answers);

} // namespace arbiter::log
