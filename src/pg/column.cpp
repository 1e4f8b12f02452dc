#include "pg/postgres.hpp"

#include "pg/column.hpp"

#include "base/quote.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

struct Raw {
    Form_pg_attribute attribute;
    char const *type, *operator_schema, *operator_name;
    bool is_ordered, is_text;
};

Raw look_up(Oid table, const char *column)
{
    Raw raw{};
    HeapTuple const row = SearchSysCacheCopyAttName(table, column);
    if (!HeapTupleIsValid(row))
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                        errmsg("column \"%s\" of table \"%s\" does not exist", column,
                               get_rel_name(table))));
    raw.attribute = reinterpret_cast<Form_pg_attribute>(GETSTRUCT(row));
    Oid const type = raw.attribute->atttypid;
    // Without the second flag "character" and "bit" come back, which SQL takes for a length of 1.
    raw.type =
        format_type_extended(type, -1, FORMAT_TYPE_FORCE_QUALIFY | FORMAT_TYPE_TYPEMOD_GIVEN);
    TypeCacheEntry const *const cached =
        lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR);
    raw.is_ordered = OidIsValid(cached->lt_opr);
    Oid const equals = cached->eq_opr;
    if (OidIsValid(equals)) {
        HeapTuple const found = SearchSysCache1(OPEROID, ObjectIdGetDatum(equals));
        auto const *const form = reinterpret_cast<Form_pg_operator>(GETSTRUCT(found));
        raw.operator_name = pstrdup(NameStr(form->oprname));
        raw.operator_schema = get_namespace_name(form->oprnamespace);
        ReleaseSysCache(found);
    }
    // "name" and "char(n)" are strings too, but cut off or pad.
    Oid const base = getBaseType(type);
    char category = '\0';
    bool preferred = false;
    get_type_category_preferred(base, &category, &preferred);
    raw.is_text = category == TYPCATEGORY_STRING && base != NAMEOID && base != BPCHAROID;
    return raw;
}

bool keeps_apart(Relation index, AttrNumber column)
{
    Form_pg_index const form = index->rd_index;
    if (!form->indisunique || !form->indisvalid || !form->indimmediate || form->indnkeyatts != 1 ||
        form->indkey.values[0] != column || index->rd_rel->relam != BTREE_AM_OID ||
        RelationGetIndexPredicate(index) != NIL)
        return false;
    Oid const type = get_atttype(form->indrelid, column);
    return index->rd_opfamily[0] == lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

} // namespace

ColumnFacts describe_column(Oid table, const std::string &column)
{
    Raw const raw = call([&] { return look_up(table, column.c_str()); });
    ColumnFacts facts{.type = raw.attribute->atttypid,
                      .type_name = raw.type,
                      .equals = {},
                      .is_ordered = raw.is_ordered,
                      .is_text = raw.is_text,
                      .not_null = raw.attribute->attnotnull,
                      .computed = raw.attribute->attgenerated != '\0' ||
                                  raw.attribute->attidentity == ATTRIBUTE_IDENTITY_ALWAYS};
    if (raw.operator_name)
        facts.equals =
            "OPERATOR(" + quote_identifier(raw.operator_schema) + "." + raw.operator_name + ")";
    return facts;
}

bool is_unique_column(Oid table, const std::string &column)
{
    return call([&] {
        Relation const relation = table_open(table, AccessShareLock);
        AttrNumber const number = get_attnum(table, column.c_str());
        bool unique = false;
        ListCell *cell = nullptr;
        foreach (cell, RelationGetIndexList(relation)) {
            Relation const index = index_open(lfirst_oid(cell), AccessShareLock);
            unique = unique || keeps_apart(index, number);
            index_close(index, AccessShareLock);
        }
        table_close(relation, AccessShareLock);
        return unique;
    });
}

std::string TableName::quoted() const
{
    return quote_identifier(schema) + "." + quote_identifier(name);
}

std::optional<TableName> table_name(Oid table)
{
    char const *name = nullptr;
    char const *schema = nullptr;
    call([&] {
        name = get_rel_name(table);
        schema = name ? get_namespace_name(get_rel_namespace(table)) : nullptr;
    });
    return schema ? std::optional(TableName{schema, name}) : std::nullopt;
}

} // namespace arbiter::pg
