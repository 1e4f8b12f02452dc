// Moving offsets: the arbiter of "already applied".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "projection/decision.hpp"
#include "projection/registry.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// Which row of offsets.
struct Place {
    std::string_view projection;
    std::string_view entity;
};

// True: the offset is now at the revision, and the caller is to apply its effect in this very
// transaction. False: it has been applied. RB010 where a strict projection would skip a revision;
// 40001 where the effect of the revision before is committed but hidden from the transaction's
// snapshot. Waits for another transaction that is moving this offset.
bool advance(store::Store &store, const Place &place, std::int64_t revision);

// Some revisions of an entity that are to be applied together.
struct Advance {
    std::string_view entity;
    std::int64_t first;
    std::int64_t last;
    std::int64_t applied = kNothingApplied; // found out: those up to it are not to be applied again
    bool behind_a_hole = false;             // found out: what lies between has been truncated
};

// Moves the offset of each entity to its last revision, in the order given. As advance otherwise,
// for somebody who has called open_offsets.
void advance_all(store::Store &store, std::string_view projection, bool strict,
                 std::span<Advance> advances);

// The entity's next revision is to be this one. False where it is past that already: an offset
// never moves back.
bool start_at(store::Store &store, const Place &place, std::int64_t revision);

// Where the caller's snapshot sees it; kNothingApplied for an entity never heard of.
std::int64_t last_revision(store::Store &store, const Place &place);

// What advance would decide, without deciding it.
Decision look(store::Store &store, const Projection &projection, const Place &place,
              std::int64_t revision, std::int64_t &applied);

// RB010, the same from every call.
[[noreturn]] void refuse_gap(const Place &place, std::int64_t applied, std::int64_t revision);

// The tables' locks and privileges, and what the registry says: before anything else.
Projection open_offsets(store::Store &store, std::string_view projection);

} // namespace arbiter::projection
