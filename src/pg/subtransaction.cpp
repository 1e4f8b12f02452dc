#include "pg/postgres.hpp"

#include "pg/subtransaction.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

Subtransaction::Subtransaction() : context_(CurrentMemoryContext), owner_(CurrentResourceOwner)
{
    call([] { BeginInternalSubTransaction(nullptr); });
    level_ = GetCurrentTransactionNestLevel();
    MemoryContextSwitchTo(context_);
}

void Subtransaction::commit()
{
    call([] { ReleaseCurrentSubTransaction(); });
    restore();
}

// What breaks off is begun anew, as the server does at the top. Left open, it would be the one that
// a handler further out rolls back, in the place of its own.
void Subtransaction::rollback()
{
    try {
        call([] { RollbackAndReleaseCurrentSubTransaction(); });
    } catch (const Error &) {
        if (GetCurrentTransactionNestLevel() != level_)
            throw;
        call([] { RollbackAndReleaseCurrentSubTransaction(); });
    }
    restore();
}

void Subtransaction::restore() const noexcept
{
    MemoryContextSwitchTo(context_);
    CurrentResourceOwner = owner_;
}

} // namespace arbiter::pg
