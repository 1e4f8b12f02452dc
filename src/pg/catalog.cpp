#include "pg/postgres.hpp"

#include "pg/catalog.hpp"

#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

Oid find_schema(std::string_view name)
{
    std::string const terminated(name);
    // A longer name can't exist, and the look-up would assert or truncate.
    if (terminated.size() >= NAMEDATALEN || terminated.find('\0') != std::string::npos)
        return kNoOid;
    return call([&] { return get_namespace_oid(terminated.c_str(), true); });
}

Oid find_relation(Oid schema, const char *name)
{
    return call([=] { return get_relname_relid(name, schema); });
}

Oid schema_of(Oid relation)
{
    return call([=] { return get_rel_namespace(relation); });
}

std::string schema_name(Oid schema)
{
    char const *const name = call([=] { return get_namespace_name(schema); });
    return name ? name : "";
}

void require_usage(Oid schema)
{
    call([=] {
        AclResult const result = compat::schema_aclcheck(schema, GetUserId(), ACL_USAGE);
        if (result != ACLCHECK_OK)
            aclcheck_error(result, OBJECT_SCHEMA, get_namespace_name(schema));
    });
}

void require_privileges(Oid table, Privileges privileges)
{
    AclMode mask = 0;
    switch (privileges) {
    case Privileges::select:
        mask = ACL_SELECT;
        break;
    case Privileges::insert:
        mask = ACL_INSERT;
        break;
    case Privileges::select_and_insert:
        mask = ACL_SELECT | ACL_INSERT;
        break;
    }
    call([=] {
        // All of them: pg_class_aclcheck would be content with any.
        if (pg_class_aclmask(table, GetUserId(), mask, ACLMASK_ALL) != mask)
            aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(table));
    });
}

bool has_leading_columns(Oid table, std::string_view names)
{
    return call([=] {
        std::string_view rest = names;
        for (AttrNumber attribute = 1; !rest.empty(); ++attribute) {
            std::size_t const space = rest.find(' ');
            std::string_view const expected = rest.substr(0, space);
            char const *const actual = get_attname(table, attribute, true);
            if (!actual || expected != actual)
                return false;
            rest = space == std::string_view::npos ? std::string_view{} : rest.substr(space + 1);
        }
        return true;
    });
}

namespace {

bool calls(const Trigger &trigger, const char *function)
{
    char const *const name = get_func_name(trigger.tgfoid);
    char const *const schema = get_namespace_name(get_func_namespace(trigger.tgfoid));
    return name && schema && strcmp(name, function) == 0 && strcmp(schema, "arbiter") == 0;
}

} // namespace

bool is_armed(Oid table, const char *trigger_name, const char *function)
{
    return call([=] {
        Relation const relation = table_open(table, AccessShareLock);
        bool armed = false;
        TriggerDesc const *const triggers = relation->trigdesc;
        for (int i = 0; triggers && i < triggers->numtriggers; ++i) {
            Trigger const &trigger = triggers->triggers[i];
            if (strcmp(trigger.tgname, trigger_name) == 0)
                armed = trigger.tgenabled != TRIGGER_DISABLED && calls(trigger, function);
        }
        table_close(relation, AccessShareLock);
        return armed;
    });
}

bool read_sole_row(Oid table, std::initializer_list<int> columns, std::int64_t *values)
{
    return call([=] {
        Relation const relation = table_open(table, AccessShareLock);
        Snapshot const snapshot = RegisterSnapshot(GetLatestSnapshot());
        TupleTableSlot *const slot = table_slot_create(relation, nullptr);
        TableScanDesc const scan = table_beginscan(relation, snapshot, 0, nullptr);
        bool const found = table_scan_getnextslot(scan, ForwardScanDirection, slot);
        std::int64_t *value = values;
        for (int column : columns) {
            if (!found)
                break;
            bool null = false;
            Datum const datum = slot_getattr(slot, column, &null);
            bool const is_boolean =
                TupleDescAttr(slot->tts_tupleDescriptor, column - 1)->atttypid == BOOLOID;
            *value++ = is_boolean ? DatumGetBool(datum) : DatumGetInt32(datum);
        }
        table_endscan(scan);
        ExecDropSingleTupleTableSlot(slot);
        UnregisterSnapshot(snapshot);
        table_close(relation, AccessShareLock);
        return found;
    });
}

namespace {

// The server allows few callbacks in all: one for the extension, which tells the modules.
constexpr int kMaxListeners = 4;
using Listener = void (*)(Oid);
constinit Listener listeners[kMaxListeners] = {};

void tell_listeners(Datum, Oid relation)
{
    for (Listener listener : listeners)
        if (listener)
            listener(relation);
}

} // namespace

void on_relation_change(void (*listener)(Oid relation))
{
    if (!listeners[0])
        call([] { CacheRegisterRelcacheCallback(tell_listeners, 0); });
    for (Listener &slot : listeners)
        if (!slot) {
            slot = listener;
            return;
        }
    call([] { elog(ERROR, "too many listeners for relation changes"); });
}

void announce_change(Oid relation)
{
    call([=] { CacheInvalidateRelcacheByRelid(relation); });
}

} // namespace arbiter::pg
