// Which transactions a statement sees, and whether another sees the same.
#pragma once

#include <cstdint>
#include <memory>

#include "pg/types.hpp"
#include "pg/unwinding.hpp"

struct SnapshotData;

namespace arbiter::pg {

// Of the calling statement; it lives as long as the call.
SnapshotData *caller_snapshot();

// What is committed at this very moment, whatever the isolation level.
class FreshSnapshot {
public:
    FreshSnapshot();
    ~FreshSnapshot();
    FreshSnapshot(const FreshSnapshot &) = delete;
    FreshSnapshot &operator=(const FreshSnapshot &) = delete;
    SnapshotData *get() const noexcept { return snapshot_; }

private:
    SnapshotData *snapshot_;
    Unwinding unwinding_;
};

// What a statement that began now would see. Below it, it is the caller's.
class StatementSnapshot {
public:
    StatementSnapshot();
    ~StatementSnapshot();
    StatementSnapshot(const StatementSnapshot &) = delete;
    StatementSnapshot &operator=(const StatementSnapshot &) = delete;

private:
    Unwinding unwinding_;
};

// Nothing ended between the two. False also where the server cannot tell.
bool see_the_same(const SnapshotData *left, const SnapshotData *right) noexcept;

// Tells one statement's snapshot from another's. Equal also for two statements of a function
// between which nothing in the cluster has ended.
struct StatementMark {
    std::int64_t began_at;
    std::uint64_t ended_until;
    std::uint32_t from, to, command;
    bool operator==(const StatementMark &) const = default;
};
StatementMark mark_of(const SnapshotData *snapshot) noexcept;

// What a snapshot saw, kept beyond its transaction: holds back no vacuum.
class Sight {
public:
    explicit Sight(const SnapshotData *snapshot);
    // Whatever this sight had, the snapshot sees too.
    bool is_within(const SnapshotData *snapshot) const noexcept;

private:
    bool sees(std::uint32_t transaction) const noexcept;
    std::uint32_t end_;
    std::uint32_t count_;
    std::unique_ptr<std::uint32_t[]> running_;
};

} // namespace arbiter::pg
