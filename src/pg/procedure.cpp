#include "pg/postgres.hpp"

#include "pg/procedure.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

bool is_atomic(FunctionCallInfo fcinfo) noexcept
{
    return !fcinfo->context || !IsA(fcinfo->context, CallContext) ||
           castNode(CallContext, fcinfo->context)->atomic;
}

} // namespace

Procedure::Procedure(FunctionCallInfo fcinfo) : may_commit_(!is_atomic(fcinfo))
{
    call([this] { SPI_connect_ext(may_commit_ ? SPI_OPT_NONATOMIC : 0); });
}

Procedure::~Procedure()
{
    if (!unwinding_)
        SPI_finish();
}

void Procedure::release_snapshot()
{
    if (may_commit_)
        call([] { SPI_commit(); });
}

void Procedure::take_snapshot()
{
    if (may_commit_)
        call([] { EnsurePortalSnapshotExists(); });
}

void Procedure::commit()
{
    release_snapshot();
    take_snapshot();
}

} // namespace arbiter::pg
