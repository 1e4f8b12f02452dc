#include "pg/postgres.hpp"

#include "pg/row_lock.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

void require_update(Oid table)
{
    if (pg_class_aclcheck(table, GetUserId(), ACL_UPDATE) != ACLCHECK_OK &&
        pg_attribute_aclcheck_all(table, GetUserId(), ACL_UPDATE, ACLMASK_ANY) != ACLCHECK_OK)
        aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(table));
}

} // namespace

RowLock lock_row(Oid table, Datum tid, Waits waits)
{
    return call([=] {
        require_update(table);
        Relation const relation = table_open(table, RowExclusiveLock);
        TupleTableSlot *const slot = table_slot_create(relation, nullptr);
        ItemPointerData at = *reinterpret_cast<ItemPointer>(DatumGetPointer(tid));
        TM_FailureData failure{};
        bool const follows = waits == Waits::yes;
        TM_Result const result = table_tuple_lock(
            relation, &at, GetActiveSnapshot(), slot, GetCurrentCommandId(true),
            LockTupleNoKeyExclusive, follows ? LockWaitBlock : LockWaitSkip,
            follows ? TUPLE_LOCK_FLAG_FIND_LAST_VERSION | TUPLE_LOCK_FLAG_LOCK_UPDATE_IN_PROGRESS
                    : 0,
            &failure);
        ExecDropSingleTupleTableSlot(slot);
        table_close(relation, NoLock);
        switch (result) {
        case TM_Ok:
            return failure.traversed ? RowLock::moved : RowLock::taken;
        case TM_Updated:
            return RowLock::moved;
        case TM_Deleted:
            return RowLock::gone;
        case TM_WouldBlock:
            return RowLock::busy;
        default:
            elog(ERROR, "unexpected result %d of a row lock", static_cast<int>(result));
        }
    });
}

} // namespace arbiter::pg
