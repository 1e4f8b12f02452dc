#include "pg/postgres.hpp"

#include "pg/unique_index.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

std::vector<Oid> with_partitions(Oid table)
{
    List *const tables = call([=] {
        return get_rel_relkind(table) == RELKIND_PARTITIONED_TABLE
                   ? find_all_inheritors(table, NoLock, nullptr)
                   : list_make1_oid(table);
    });
    std::vector<Oid> found;
    found.reserve(static_cast<std::size_t>(list_length(tables)));
    for (int i = 0; i < list_length(tables); ++i)
        found.push_back(list_nth_oid(tables, i));
    return found;
}

std::vector<UniqueIndex> commented_unique_indexes(Oid table)
{
    std::vector<UniqueIndex> found;
    call([&] {
        ScanKeyData key;
        ScanKeyInit(&key, Anum_pg_index_indrelid, BTEqualStrategyNumber, F_OIDEQ,
                    ObjectIdGetDatum(table));
        Relation const catalog = table_open(IndexRelationId, AccessShareLock);
        SysScanDesc const scan =
            systable_beginscan(catalog, IndexIndrelidIndexId, true, nullptr, 1, &key);
        while (HeapTuple const row = systable_getnext(scan)) {
            auto const *const form = reinterpret_cast<Form_pg_index>(GETSTRUCT(row));
            char const *const comment =
                form->indisunique ? GetComment(form->indexrelid, RelationRelationId, 0) : nullptr;
            char const *const name = comment ? get_rel_name(form->indexrelid) : nullptr;
            char const *const table_name = name ? get_rel_name(table) : nullptr;
            char const *const schema =
                table_name ? get_namespace_name(get_rel_namespace(table)) : nullptr;
            if (schema) // else somebody is dropping it
                found.push_back({.index = form->indexrelid,
                                 .schema = schema,
                                 .table = table_name,
                                 .name = name,
                                 .comment = comment});
        }
        systable_endscan(scan);
        table_close(catalog, AccessShareLock);
    });
    return found;
}

namespace {

// Equality is the columns' own: by the default operator family and the column's collation.
bool compares_by_default(Relation index)
{
    Form_pg_index const form = index->rd_index;
    for (int i = 0; i < form->indnkeyatts; ++i) {
        Oid type = InvalidOid;
        int32 modifier = -1;
        Oid collation = InvalidOid;
        get_atttypetypmodcoll(form->indrelid, form->indkey.values[i], &type, &modifier, &collation);
        if (index->rd_indcollation[i] != collation ||
            index->rd_opfamily[i] != lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf)
            return false;
    }
    return true;
}

// What it is that makes it another thing than "at most one row per columns and predicate".
const char *flaw_of(Relation index, HeapTuple row)
{
    Form_pg_index const form = index->rd_index;
    if (!form->indisunique)
        return "It is not unique.";
    if (!form->indimmediate)
        return "It is deferrable: it would speak at the end of the transaction.";
    if (OidIsValid(get_index_constraint(RelationGetRelid(index))))
        return "It belongs to a constraint.";
    if (index->rd_rel->relam != BTREE_AM_OID)
        return "It is not a btree.";
    if (!heap_attisnull(row, Anum_pg_index_indexprs, nullptr))
        return "It has an expression among its columns.";
    if (form->indnkeyatts != form->indnatts)
        return "It includes columns that are not part of the key.";
    if (form->indnullsnotdistinct)
        return "It has NULLS NOT DISTINCT.";
    if (!compares_by_default(index))
        return "It compares otherwise than the columns do by default.";
    return "";
}

// Both inside pg::call.
void describe_key(Relation index, HeapTuple row, IndexFacts &facts)
{
    Form_pg_index const form = index->rd_index;
    for (int i = 0; i < form->indnkeyatts; ++i)
        facts.columns.emplace_back(get_attname(form->indrelid, form->indkey.values[i], false));
    bool null = false;
    Datum const predicate = SysCacheGetAttr(INDEXRELID, row, Anum_pg_index_indpred, &null);
    if (!null)
        facts.predicate = TextDatumGetCString(
            DirectFunctionCall2(pg_get_expr, predicate, ObjectIdGetDatum(form->indrelid)));
}

void describe(Oid found, IndexFacts &facts)
{
    if (char const *const comment = GetComment(found, RelationRelationId, 0))
        facts.comment = comment;
    if (get_rel_relkind(found) != RELKIND_INDEX) {
        facts.flaw = "It is not an index of a table.";
        return;
    }
    Relation const index = index_open(found, AccessShareLock);
    HeapTuple const row = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(found));
    facts.table = index->rd_index->indrelid;
    facts.valid = index->rd_index->indisvalid;
    facts.flaw = flaw_of(index, row);
    if (facts.flaw.empty())
        describe_key(index, row, facts);
    ReleaseSysCache(row);
    index_close(index, AccessShareLock);
}

} // namespace

std::optional<IndexFacts> describe_index(Oid schema, const char *name)
{
    std::optional<IndexFacts> facts;
    call([&] {
        if (Oid const found = get_relname_relid(name, schema); OidIsValid(found))
            describe(found, facts.emplace());
    });
    return facts;
}

} // namespace arbiter::pg
