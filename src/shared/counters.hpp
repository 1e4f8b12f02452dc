// What came of the calls, counted: the numbers behind arbiter.stats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace arbiter::shared {

// A call's outcome as its caller sees it. Losing a race is `conflict`, not a failure.
enum class Outcome : std::size_t { done, already, conflict, replayed, waited };
inline constexpr std::size_t kOutcomes = 5;

enum class Noun : std::size_t { append, lock, claim, advance, handle, transition };
inline constexpr std::size_t kNouns = 6;

using Counters = std::array<std::array<std::uint64_t, kOutcomes>, kNouns>;

// Of this session; a rollback takes nothing back, since what happened has happened.
void count(Noun noun, Outcome outcome) noexcept;
const Counters &counters() noexcept;

const char *name(Noun noun) noexcept;

} // namespace arbiter::shared
