#include "pg/postgres.hpp"

#include "pg/planning.hpp"

#include "pg/guard.hpp"
#include "pg/row_condition.hpp"

namespace arbiter::pg {

namespace {

constinit const IndexWanted *current = nullptr;
constinit get_relation_info_hook_type next_hook = nullptr;

// The variables behind the settings, as LockTimeout does it: there is nothing to roll back.
void go_by_index() noexcept
{
    enable_seqscan = false;
    enable_bitmapscan = false;
    enable_sort = false;
    enable_indexscan = true;
    enable_tidscan = true;
}

bool sorts_by(Relation index, int n, const SortColumn &column, bool backwards)
{
    AttrNumber const number = get_attnum(index->rd_index->indrelid, column.name.c_str());
    bool const descending = (index->rd_indoption[n] & INDOPTION_DESC) != 0;
    bool const nulls_first = (index->rd_indoption[n] & INDOPTION_NULLS_FIRST) != 0;
    if (index->rd_index->indkey.values[n] != number ||
        descending != (column.descending != backwards) ||
        nulls_first != (column.nulls_first != backwards))
        return false;
    Oid type = InvalidOid;
    int32 modifier = -1;
    Oid collation = InvalidOid;
    get_atttypetypmodcoll(index->rd_index->indrelid, number, &type, &modifier, &collation);
    return index->rd_indcollation[n] == collation &&
           index->rd_opfamily[n] == lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

bool is_in_order(Relation index, const std::vector<SortColumn> &order, bool backwards)
{
    if (index->rd_index->indnkeyatts < static_cast<int>(order.size()))
        return false;
    int n = 0;
    for (const SortColumn &column : order)
        if (!sorts_by(index, n++, column, backwards))
            return false;
    return true;
}

bool suits(Oid found, const IndexWanted &wanted, List *condition, List *kept_out)
{
    Relation const index = index_open(found, AccessShareLock);
    List *const predicate = RelationGetIndexPredicate(index);
    bool const suits =
        index->rd_rel->relam == BTREE_AM_OID && index->rd_index->indisvalid && predicate != NIL &&
        predicate_implied_by(predicate, condition, false) &&
        predicate_implied_by(kept_out, predicate, false) &&
        (is_in_order(index, wanted.order, false) || is_in_order(index, wanted.order, true));
    index_close(index, AccessShareLock);
    return suits;
}

Oid search(const IndexWanted &wanted)
{
    Relation const table = table_open(wanted.table, AccessShareLock);
    List *const condition = normalized_condition(wanted.table, wanted.condition.c_str());
    List *const kept_out = normalized_condition(wanted.table, wanted.kept_out.c_str());
    Oid found = InvalidOid;
    ListCell *cell = nullptr;
    foreach (cell, RelationGetIndexList(table))
        if (!OidIsValid(found) && suits(lfirst_oid(cell), wanted, condition, kept_out))
            found = lfirst_oid(cell);
    table_close(table, AccessShareLock);
    return found;
}

// Runs inside the planner, so inside pg::call; `search` has nothing with a destructor.
void keep_the_one_index(PlannerInfo *root, Oid table, bool with_children, RelOptInfo *relation)
{
    if (next_hook)
        next_hook(root, table, with_children, relation);
    if (!current || current->table != table)
        return;
    Oid const wanted = search(*current);
    ListCell *cell = nullptr;
    foreach (cell, relation->indexlist) {
        auto *const index = lfirst_node(IndexOptInfo, cell);
        if (index->indexoid != wanted)
            continue;
        relation->indexlist = list_make1(index);
        go_by_index();
        return;
    }
}

} // namespace

Oid find_index(const IndexWanted &wanted)
{
    return call([&] { return search(wanted); });
}

PlannedByIndex::PlannedByIndex(const IndexWanted *wanted) noexcept
    : outer_(current), seqscan_(enable_seqscan), bitmapscan_(enable_bitmapscan),
      indexscan_(enable_indexscan), tidscan_(enable_tidscan), sort_(enable_sort), jit_(jit_enabled)
{
    current = wanted;
    jit_enabled = false;
    if (!wanted)
        go_by_index();
}

PlannedByIndex::~PlannedByIndex()
{
    current = outer_;
    enable_seqscan = seqscan_;
    enable_bitmapscan = bitmapscan_;
    enable_indexscan = indexscan_;
    enable_tidscan = tidscan_;
    enable_sort = sort_;
    jit_enabled = jit_;
}

void initialize_planning()
{
    next_hook = get_relation_info_hook;
    get_relation_info_hook = keep_the_one_index;
}

} // namespace arbiter::pg
