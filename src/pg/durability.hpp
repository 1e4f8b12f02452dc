// Commits that a crash could still take back: with synchronous_commit off, a commit is seen before
// it is on disk.
#pragma once

#include <cstdint>

struct SnapshotData;

namespace arbiter::pg {

// Collects what has to be on disk before something is handed out. On a standby there is nothing to
// do: a primary sends what it has flushed.
class Durability {
public:
    // The snapshot under which the rows are read.
    explicit Durability(const SnapshotData *snapshot);
    // A committed transaction, by what its row says; a hint bit would prove nothing. None: 0.
    void require_commit_of(std::uint32_t transaction);
    void require_log_up_to(std::uint64_t place) noexcept;
    // Everything that any transaction has logged until now.
    void require_all();
    // Waits for the disk if it has to.
    void flush() const;

private:
    bool const is_standby_;
    std::uint64_t next_transaction_ = 0;
    std::uint32_t last_asked_ = 0;
    std::uint64_t place_ = 0;
};

} // namespace arbiter::pg
