#include "pg/postgres.hpp"

#include "pg/function_change.hpp"

#include "pg/entry.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

using Listener = void (*)(const ChangedFunction &);

constinit object_access_hook_type next_hook = nullptr;
constinit Listener told = nullptr;

struct Found {
    bool found;
    Oid schema;
    NameData name;
};

// SnapshotSelf, since the statement's own change is not visible to the caches before its end.
Found look_up(Oid function)
{
    return call([function] {
        Found found{};
        ScanKeyData key;
        ScanKeyInit(&key, Anum_pg_proc_oid, BTEqualStrategyNumber, F_OIDEQ,
                    ObjectIdGetDatum(function));
        Relation const catalog = table_open(ProcedureRelationId, AccessShareLock);
        SysScanDesc const scan =
            systable_beginscan(catalog, ProcedureOidIndexId, true, SnapshotSelf, 1, &key);
        if (HeapTuple const row = systable_getnext(scan); HeapTupleIsValid(row)) {
            auto const *form = reinterpret_cast<Form_pg_proc>(GETSTRUCT(row));
            found = {.found = true, .schema = form->pronamespace, .name = form->proname};
        }
        systable_endscan(scan);
        table_close(catalog, AccessShareLock);
        return found;
    });
}

void tell(Oid function)
{
    Found const found = look_up(function);
    if (found.found)
        told({.function = function, .schema = found.schema, .name = NameStr(found.name)});
}

void hook(ObjectAccessType access, Oid catalog, Oid object, int part, void *arg)
{
    if (next_hook != nullptr)
        next_hook(access, catalog, object, part, arg);
    // Asked first: the server comes by for every object it touches.
    if (catalog == ProcedureRelationId && (access == OAT_POST_CREATE || access == OAT_POST_ALTER))
        entry<tell>(object);
}

} // namespace

void on_function_change(Listener listener)
{
    told = listener;
    next_hook = object_access_hook;
    object_access_hook = hook;
}

} // namespace arbiter::pg
