// What an append takes the stream to be. The values are KurrentDB's.
#pragma once

#include <cstdint>
#include <string>

namespace arbiter::log {

// The revision of a stream that has no event.
inline constexpr std::int64_t kNoRevision = -1;

class Expectation {
public:
    static constexpr std::int64_t kNoStream = -1;
    static constexpr std::int64_t kAny = -2;
    static constexpr std::int64_t kStreamExists = -4;

    // 22023 for a number that means nothing.
    static Expectation from(std::int64_t value);

    std::int64_t value() const noexcept { return value_; }
    // Whether a stream with this last revision is what was expected.
    bool accepts(std::int64_t head) const noexcept;
    // Whether an append with this expectation can have written this as its first revision: then the
    // same call again is a retry. Otherwise the event belongs to another append.
    bool could_have_written(std::int64_t first_revision) const noexcept;
    // `any` and `stream exists` name no revision: who loses to another writer simply comes after
    // it.
    bool names_revision() const noexcept { return value_ >= kNoStream; }

private:
    explicit Expectation(std::int64_t value) noexcept : value_(value) {}
    std::int64_t value_;
};

} // namespace arbiter::log
