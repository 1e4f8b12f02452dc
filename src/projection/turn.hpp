// A turn at a projection that is run here: acting as its owner, with its cursor locked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pg/acting_role.hpp"
#include "pg/snapshot.hpp"
#include "pg/spi.hpp"
#include "projection/source.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// For another runner to end.
enum class Patience { none, waits };

// Lives inside one transaction. 42704, 42501, 55000, 0A000 where it cannot be had at all.
class Turn {
public:
    Turn(store::Store &store, std::string_view name, Patience patience = Patience::none);
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    // Another runner has the projection.
    bool is_busy() const noexcept { return !projection_; }

    // If it is not busy. Reading sees what is committed now, the last runner's effects among it.
    const Runnable &projection() const noexcept { return *projection_; }
    pg::Spi &spi() noexcept { return spi_; }
    store::Store &store() const noexcept { return store_; }

    // 42883 and 42501 where it cannot be called: that is nobody's failed event, and no attempt.
    void require_handler() const;

    // Up to which position of the feed everything is settled.
    std::int64_t settled();
    // Every event up to it was looked at.
    void move_cursor(std::int64_t position);
    // The same, and takes a mark back.
    void leave(std::int64_t position);
    void leave_mark();

private:
    enum class MarkOf { as_it_is, nobody, this_session };
    void write_cursor(std::int64_t position, MarkOf mark);

    store::Store &store_;
    pg::ActingAs acting_;
    pg::Spi spi_;
    std::optional<Runnable> projection_;
    std::optional<pg::StatementSnapshot> now_;
};

} // namespace arbiter::projection
