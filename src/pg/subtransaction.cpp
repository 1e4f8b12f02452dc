#include "pg/postgres.hpp"

#include "pg/subtransaction.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

Subtransaction::Subtransaction() : context_(CurrentMemoryContext), owner_(CurrentResourceOwner)
{
    call([] { BeginInternalSubTransaction(nullptr); });
    MemoryContextSwitchTo(context_);
}

void Subtransaction::commit()
{
    call([] { ReleaseCurrentSubTransaction(); });
    restore();
}

void Subtransaction::rollback()
{
    call([] { RollbackAndReleaseCurrentSubTransaction(); });
    restore();
}

void Subtransaction::restore() const noexcept
{
    MemoryContextSwitchTo(context_);
    CurrentResourceOwner = owner_;
}

} // namespace arbiter::pg
