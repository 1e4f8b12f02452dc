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

Oid find_settled(Oid schema, const char *name)
{
    return call([=] {
        Oid found = get_relname_relid(name, schema);
        for (Oid locked = InvalidOid; found != locked; found = get_relname_relid(name, schema)) {
            locked = found;
            if (OidIsValid(locked))
                LockRelationOid(locked, AccessShareLock);
        }
        return found;
    });
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

std::string session_user()
{
    return call([] { return GetUserNameFromId(GetSessionUserId(), false); });
}

std::string current_user()
{
    return call([] { return GetUserNameFromId(GetUserId(), false); });
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
    case Privileges::select_insert_and_update:
        mask = ACL_SELECT | ACL_INSERT | ACL_UPDATE;
        break;
    case Privileges::select_insert_and_delete:
        mask = ACL_SELECT | ACL_INSERT | ACL_DELETE;
        break;
    }
    call([=] {
        // All of them: pg_class_aclcheck would be content with any.
        if (pg_class_aclmask(table, GetUserId(), mask, ACLMASK_ALL) != mask)
            aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(table));
    });
}

void require_owner(Oid table)
{
    call([=] {
        if (!compat::owns_relation(table, GetUserId()))
            aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(table));
    });
}

void require_column(Oid table, int column)
{
    call([=] {
        if (pg_class_aclcheck(table, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
            pg_attribute_aclcheck(table, static_cast<AttrNumber>(column), GetUserId(),
                                  ACL_SELECT) != ACLCHECK_OK)
            aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(table));
    });
}

bool may_select(Oid table)
{
    return call([=] { return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK; });
}

bool has_row_security(Oid table)
{
    return call([=] { return check_enable_rls(table, InvalidOid, true) == RLS_ENABLED; });
}

bool has_leading_columns(Oid table, std::span<const Column> columns)
{
    return call([=] {
        Relation const relation = table_open(table, AccessShareLock);
        TupleDesc const descriptor = RelationGetDescr(relation);
        bool same = relation->rd_rel->relkind == RELKIND_RELATION &&
                    descriptor->natts >= static_cast<int>(columns.size());
        for (std::size_t i = 0; same && i < columns.size(); ++i) {
            Form_pg_attribute const attribute = TupleDescAttr(descriptor, static_cast<int>(i));
            same = !attribute->attisdropped && attribute->atttypid == type_oid(columns[i].type) &&
                   strcmp(NameStr(attribute->attname), columns[i].name) == 0;
        }
        table_close(relation, AccessShareLock);
        return same;
    });
}

namespace {

bool is_on(Relation index, Oid table, std::initializer_list<int> columns)
{
    Form_pg_index const form = index->rd_index;
    if (form->indrelid != table || !form->indisunique || !form->indisvalid || !form->indimmediate ||
        form->indnkeyatts != static_cast<int>(columns.size()) ||
        index->rd_rel->relam != BTREE_AM_OID || RelationGetIndexPredicate(index) != NIL)
        return false;
    int n = 0;
    for (int column : columns) {
        // Dirty look-ups compare text byte by byte: an index sorted otherwise would hide rows from
        // them.
        Oid const collation = index->rd_indcollation[n];
        if (form->indkey.values[n] != column ||
            (OidIsValid(collation) && collation != C_COLLATION_OID))
            return false;
        ++n;
    }
    return true;
}

} // namespace

Oid find_sequence(Oid schema, const char *name)
{
    return call([=] {
        Oid const found = get_relname_relid(name, schema);
        return OidIsValid(found) && get_rel_relkind(found) == RELKIND_SEQUENCE ? found : InvalidOid;
    });
}

Oid find_unique_index(Oid table, const char *name, std::initializer_list<int> columns)
{
    return call([=] {
        Oid const found = get_relname_relid(name, get_rel_namespace(table));
        if (!OidIsValid(found) || get_rel_relkind(found) != RELKIND_INDEX)
            return InvalidOid;
        Relation const index = index_open(found, AccessShareLock);
        bool const same = is_on(index, table, columns);
        index_close(index, AccessShareLock);
        return same ? found : InvalidOid;
    });
}

namespace {

bool calls(const Trigger &trigger, const char *function)
{
    char const *const name = get_func_name(trigger.tgfoid);
    char const *const schema = get_namespace_name(get_func_namespace(trigger.tgfoid));
    return name && schema && strcmp(name, function) == 0 && strcmp(schema, "arbiter") == 0;
}

bool fires_on(const Trigger &trigger, std::string_view event)
{
    auto const says = [event](std::string_view word) {
        return event.find(word) != std::string_view::npos;
    };
    auto const fires = [&trigger](int bit) { return (trigger.tgtype & bit) != 0; };
    return TRIGGER_FOR_BEFORE(trigger.tgtype) == says("BEFORE ") &&
           fires(TRIGGER_TYPE_INSERT) == says("INSERT ") &&
           fires(TRIGGER_TYPE_UPDATE) == says("UPDATE ") &&
           fires(TRIGGER_TYPE_DELETE) == says("DELETE ") &&
           fires(TRIGGER_TYPE_TRUNCATE) == says("TRUNCATE ") &&
           fires(TRIGGER_TYPE_ROW) == says("EACH ROW") && trigger.tgqual == nullptr &&
           trigger.tgnattr == 0;
}

// A replica trigger fires for replication only.
bool fires_for_everyone(const Trigger &trigger)
{
    return trigger.tgenabled == TRIGGER_FIRES_ON_ORIGIN ||
           trigger.tgenabled == TRIGGER_FIRES_ALWAYS;
}

} // namespace

bool is_armed(Oid table, const char *trigger_name, const char *function, const char *event)
{
    return call([=] {
        Relation const relation = table_open(table, AccessShareLock);
        bool armed = false;
        TriggerDesc const *const triggers = relation->trigdesc;
        for (int i = 0; triggers && i < triggers->numtriggers; ++i) {
            Trigger const &trigger = triggers->triggers[i];
            if (strcmp(trigger.tgname, trigger_name) == 0)
                armed = fires_for_everyone(trigger) && calls(trigger, function) &&
                        fires_on(trigger, event);
        }
        table_close(relation, AccessShareLock);
        return armed;
    });
}

namespace {

std::int64_t number_of(Datum datum, Oid type)
{
    switch (type) {
    case BOOLOID:
        return DatumGetBool(datum);
    case INT8OID:
        return DatumGetInt64(datum);
    default:
        return DatumGetInt32(datum);
    }
}

} // namespace

bool read_sole_row(Oid table, std::initializer_list<int> columns, std::int64_t *values,
                   SnapshotData *seen)
{
    return call([=] {
        Relation const relation = table_open(table, AccessShareLock);
        Snapshot const snapshot = RegisterSnapshot(seen ? seen : GetLatestSnapshot());
        TupleTableSlot *const slot = table_slot_create(relation, nullptr);
        TableScanDesc const scan = table_beginscan(relation, snapshot, 0, nullptr);
        bool const found = table_scan_getnextslot(scan, ForwardScanDirection, slot);
        std::int64_t *value = values;
        for (int column : columns) {
            if (!found)
                break;
            bool null = false;
            *value++ = number_of(slot_getattr(slot, column, &null),
                                 TupleDescAttr(slot->tts_tupleDescriptor, column - 1)->atttypid);
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

namespace {

using SchemaListener = void (*)();
constinit SchemaListener schema_listeners[kMaxListeners] = {};

void tell_schema_listeners(Datum, int, uint32)
{
    for (SchemaListener listener : schema_listeners)
        if (listener)
            listener();
}

} // namespace

void on_schema_change(SchemaListener listener)
{
    if (!schema_listeners[0])
        call([] { CacheRegisterSyscacheCallback(NAMESPACEOID, tell_schema_listeners, 0); });
    for (SchemaListener &slot : schema_listeners)
        if (!slot) {
            slot = listener;
            return;
        }
    call([] { elog(ERROR, "too many listeners for schema changes"); });
}

void announce_change(Oid relation)
{
    call([=] { CacheInvalidateRelcacheByRelid(relation); });
}

} // namespace arbiter::pg
