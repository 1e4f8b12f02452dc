#include "pg/postgres.hpp"

#include "pg/snapshot.hpp"

#include <algorithm>

#include "pg/guard.hpp"

namespace arbiter::pg {

SnapshotData *caller_snapshot()
{
    return call([] { return GetActiveSnapshot(); });
}

FreshSnapshot::FreshSnapshot()
    : snapshot_(call([] { return RegisterSnapshot(GetLatestSnapshot()); }))
{
}

FreshSnapshot::~FreshSnapshot()
{
    if (!unwinding_)
        UnregisterSnapshot(snapshot_);
}

StatementSnapshot::StatementSnapshot()
{
    call([] { PushActiveSnapshot(GetTransactionSnapshot()); });
}

StatementSnapshot::~StatementSnapshot()
{
    if (!unwinding_)
        PopActiveSnapshot();
}

bool see_the_same(const SnapshotData *left, const SnapshotData *right) noexcept
{
    return left->snapXactCompletionCount != 0 &&
           left->snapXactCompletionCount == right->snapXactCompletionCount;
}

StatementMark mark_of(const SnapshotData *snapshot) noexcept
{
    return {GetCurrentStatementStartTimestamp(), snapshot->snapXactCompletionCount, snapshot->xmin,
            snapshot->xmax, snapshot->curcid};
}

Sight::Sight(const SnapshotData *snapshot)
    : end_(snapshot->xmax), count_(snapshot->xcnt),
      running_(std::make_unique<std::uint32_t[]>(snapshot->xcnt))
{
    std::copy_n(snapshot->xip, count_, running_.get());
}

bool Sight::sees(std::uint32_t transaction) const noexcept
{
    return TransactionIdPrecedes(transaction, end_) &&
           std::find(running_.get(), running_.get() + count_, transaction) ==
               running_.get() + count_;
}

// Top-level transactions suffice: a subtransaction is seen when its parent is.
bool Sight::is_within(const SnapshotData *snapshot) const noexcept
{
    return !TransactionIdPrecedes(snapshot->xmax, end_) &&
           std::none_of(snapshot->xip, snapshot->xip + snapshot->xcnt,
                        [this](TransactionId running) { return sees(running); });
}

} // namespace arbiter::pg
