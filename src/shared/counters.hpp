// What came of the calls, counted: the numbers behind arbiter.stats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pg/types.hpp"

namespace arbiter::shared {

// A call's outcome as its caller sees it. Losing a race is `conflict`, not a failure.
enum class Outcome : std::size_t { done, already, conflict, replayed, waited };
inline constexpr std::size_t kOutcomes = 5;

enum class Noun : std::size_t { append, lock, claim, advance, handle, transition };
inline constexpr std::size_t kNouns = 6;

// What belongs to the database and to no store.
inline constexpr Oid kNoStore = 0;

// Called once from _PG_init.
void request_counters();

// Counted at once and by all sessions together where the library is preloaded, otherwise by this
// one alone. A rollback takes nothing back, since what happened has happened. Two or three atomic
// operations; nothing in it can fail. Where there is no room for another store it is not
// counted.
void count(Oid schema, Noun noun, Outcome outcome) noexcept;

using Counts = std::array<std::uint64_t, kOutcomes>;
struct Counted {
    Oid schema;
    Noun noun;
    Counts counts;
};
// Of this database: what can be counted of each store that was counted at all, be it dropped since.
std::vector<Counted> counted();
bool counts_all_sessions() noexcept;

const char *name(Noun noun) noexcept;

} // namespace arbiter::shared
