// Which runners there are, in shared memory: who starts one makes sure that there is none yet, and
// a commit that nobody would hear wakes the one who starts them.
#pragma once

#include <cstdint>
#include <optional>

#include "pg/types.hpp"

namespace arbiter::shared {

// A process with one database and one role to act as; without a role it looks for stores there.
struct Post {
    Oid database;
    Oid role;
    bool operator==(const Post &) const = default;
};

inline constexpr std::int32_t kMostRunners = 64;

// Called once from _PG_init.
void request_runners();

// A place for one more at that post, unless it has so many already; full_house: there is no place.
enum class Refusal { enough, full_house };
struct Reservation {
    std::optional<std::int32_t> place;
    Refusal refusal;
};
Reservation reserve(const Post &post, std::int32_t most) noexcept;
// By the process that the place was reserved for: from now on it is gone when that ends.
Post occupy(std::int32_t place) noexcept;
void vacate(std::int32_t place) noexcept;
// Of a process that did not come up.
void give_up(std::int32_t place, const Post &post) noexcept;

bool is_served(Oid database) noexcept;

} // namespace arbiter::shared
