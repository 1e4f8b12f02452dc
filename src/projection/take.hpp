// Streams of a projection that workers have: to the end of a transaction, or with a token until the
// lease is up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/duration.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/spi.hpp"
#include "projection/offset.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

struct Lease {
    pg::Value interval; // as it was given
    Duration length;
};

// Takes streams for one worker. Without a lease a stream is the transaction's: the lock of its row.
class Taker {
public:
    Taker(store::Store &store, std::string_view projection, const std::optional<Lease> &lease);

    // The events of a stream up to a revision. False where another worker has the stream, or is
    // taking it right now: nothing waits. In a transaction that keeps its snapshot also where
    // somebody had it since, for what was applied then is hidden.
    bool take(std::string_view stream, std::int64_t up_to);
    // What was taken for nothing is free again at once.
    void put_back(std::string_view stream);

private:
    store::TableAt const at_;
    pg::IndexKey const projection_;
    std::optional<Lease> const lease_;
    std::int64_t const now_;
    bool const one_snapshot_;
};

// What became of a token.
struct Standing {
    enum { held, given_back, beyond, lost } is = lost; // beyond what the token was given for
    std::optional<std::int64_t> taken_with =
        std::nullopt; // the token that the stream is, or was last, taken with
    std::int64_t taken_to = 0;
};

// One event of the stream is done: the lease begins anew, or, with the last that was taken, ends.
Standing go_on(store::Store &store, const Place &place, std::int64_t token, std::int64_t revision);
// One has failed.
Standing give_back(store::Store &store, const Place &place, std::int64_t token,
                   std::int64_t revision);

// RB010 where the event was not among those that the token was given for: a projection that is not
// strict would pass all before it unseen.
void refuse_if_beyond(const Place &place, std::int64_t revision, const Standing &standing);
// RB020, naming who holds it.
[[noreturn]] void refuse_lost(const Place &place, std::int64_t token, const Standing &standing);

} // namespace arbiter::projection
