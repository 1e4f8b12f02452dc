// The feed as one statement may see it: what its snapshot shows, and nothing behind a position that
// could still fill.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "feed/rule.hpp"
#include "pg/durability.hpp"
#include "pg/key_order_scan.hpp"
#include "pg/snapshot.hpp"
#include "store/store.hpp"

namespace arbiter::feed {

// RB050 where the store lacks it.
Oid index_of_positions(const store::Store &store);

// Nothing in it waits for another transaction.
class View {
public:
    // Behind a position up to which the reader knows everything. 55000 where the sequence does not
    // hand positions out in order, RB050 where the store lacks what the feed reads.
    View(store::Store &store, std::int64_t after);

    // The first position of a gap in the caller's sight that is not settled: an event may still
    // appear there, or has appeared after the caller's snapshot was taken.
    std::optional<std::int64_t> first_unsettled(Gap gap);

    // The first position that this transaction itself has drawn. Its own events can still roll
    // back, so they are never handed out.
    std::int64_t own_from() const noexcept { return own_from_; }

    struct Findings {
        Evidence evidence;
        std::uint64_t logged_at; // where the log of the server has what was handed out
        bool is_present;         // nothing has ended since the caller's snapshot
    };
    // Gathered when first asked for.
    const Findings &findings();

    pg::KeyOrderScan scan() const;
    SnapshotData *sight() const noexcept { return sight_; }
    bool is_standby() const noexcept { return is_standby_; }
    store::Store &store() const noexcept { return store_; }

private:
    void gather_on_primary(std::int64_t settled);
    std::optional<std::int64_t> first_unseen(Gap gap);

    store::Store &store_;
    std::int64_t const after_;
    SnapshotData *const sight_;
    Oid const positions_; // the index
    std::int64_t const own_from_;
    bool const is_standby_;
    std::optional<Findings> findings_;
    std::optional<pg::FreshSnapshot> present_;
    std::optional<pg::KeyOrderScan> present_scan_;
};

} // namespace arbiter::feed
