#include "pg/postgres.hpp"

#include "pg/durability.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// The end of what is logged so far. The server says where the next record begins, which on a new
// page is behind a header that nobody has written.
XLogRecPtr end_of_log()
{
    XLogRecPtr const next = GetXLogInsertRecPtr();
    if (XLogSegmentOffset(next, wal_segment_size) == SizeOfXLogLongPHD)
        return next - SizeOfXLogLongPHD;
    return next % XLOG_BLCKSZ == SizeOfXLogShortPHD ? next - SizeOfXLogShortPHD : next;
}

// Every transaction before `before` that committed is on disk once the log is, up to `place`. Kept
// from call to call: the next one need not ask about each of them again.
struct Known {
    std::uint64_t before;
    XLogRecPtr place;
};
constinit Known durable{};
constinit Known pending{};

// Of a transaction that began before the next one will.
std::uint64_t widen(TransactionId transaction, std::uint64_t next) noexcept
{
    return next - static_cast<uint32>(static_cast<uint32>(next) - transaction);
}

void learn(TransactionId all_ended_before, std::uint64_t next)
{
    if (pending.before > durable.before && pending.place <= GetFlushRecPtr(nullptr))
        durable = pending;
    if (pending.before <= durable.before)
        pending = {widen(all_ended_before, next), end_of_log()};
}

} // namespace

Durability::Durability(const SnapshotData *snapshot)
    : is_standby_(call([] { return RecoveryInProgress(); }))
{
    if (is_standby_)
        return;
    next_transaction_ = call([snapshot] {
        std::uint64_t const next = U64FromFullTransactionId(ReadNextFullTransactionId());
        learn(snapshot->xmin, next);
        return next;
    });
}

void Durability::require_commit_of(std::uint32_t transaction)
{
    if (is_standby_ || transaction == last_asked_ || !TransactionIdIsNormal(transaction))
        return;
    last_asked_ = transaction;
    if (widen(transaction, next_transaction_) >= durable.before)
        require_log_up_to(call([=] { return TransactionIdGetCommitLSN(transaction); }));
}

void Durability::require_log_up_to(std::uint64_t place) noexcept
{
    place_ = Max(place_, place);
}

void Durability::require_all()
{
    if (!is_standby_)
        require_log_up_to(call([] { return end_of_log(); }));
}

void Durability::flush() const
{
    if (!is_standby_ && place_ != 0)
        call([this] { XLogFlush(place_); });
}

} // namespace arbiter::pg
