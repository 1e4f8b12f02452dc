// Moving offsets: the arbiter of "already applied".
#pragma once

#include <cstdint>
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
Projection open(store::Store &store, const Place &place);

} // namespace arbiter::projection
