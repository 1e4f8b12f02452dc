#include "pg/postgres.hpp"

#include "pg/plain_table.hpp"

#include <algorithm>

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

bool has_only_columns(TupleDesc descriptor, int columns)
{
    if (descriptor->natts != columns)
        return false;
    for (int i = 0; i < columns; ++i) {
        Form_pg_attribute const attribute = TupleDescAttr(descriptor, i);
        if (attribute->attisdropped || attribute->attgenerated != '\0')
            return false;
    }
    return !descriptor->constr || descriptor->constr->num_check == 0;
}

bool has_only_indexes(Relation table, std::span<const Oid> indexes)
{
    List *const found = RelationGetIndexList(table);
    if (list_length(found) != static_cast<int>(indexes.size()))
        return false;
    return std::ranges::all_of(indexes,
                               [found](Oid index) { return list_member_oid(found, index); });
}

bool has_only_triggers(const TriggerDesc *triggers, std::span<const std::string_view> names)
{
    int const count = triggers ? triggers->numtriggers : 0;
    if (count != static_cast<int>(names.size()))
        return false;
    for (int i = 0; i < count; ++i)
        if (std::ranges::find(names, triggers->triggers[i].tgname) == names.end())
            return false;
    return true;
}

bool stands_alone(Form_pg_class table)
{
    return table->relkind == RELKIND_RELATION && table->relam == HEAP_TABLE_AM_OID &&
           !table->relhassubclass && !table->relispartition && !table->relrowsecurity;
}

} // namespace

bool is_table(Oid relation)
{
    return call([=] { return get_rel_relkind(relation) == RELKIND_RELATION; });
}

bool is_plain(Oid table, const PlainShape &shape)
{
    return call([&] {
        Relation const relation = table_open(table, AccessShareLock);
        bool const plain = stands_alone(relation->rd_rel) && !relation->rd_rules &&
                           has_only_columns(RelationGetDescr(relation), shape.columns) &&
                           has_only_indexes(relation, shape.indexes) &&
                           has_only_triggers(relation->trigdesc, shape.triggers);
        table_close(relation, AccessShareLock);
        return plain;
    });
}

namespace {

constexpr int kMaxColumns = 16;
// Rows per multi-insert: enough to fill pages, small enough that the memory of a chunk is reused
// while the processor still has it.
constexpr std::size_t kChunk = 256;

// Before PostgreSQL 16 the server takes what it only reads without const.
HeapTuple form(Relation table, const Datum *row)
{
    bool no_nulls[kMaxColumns] = {};
    return heap_form_tuple(RelationGetDescr(table), const_cast<Datum *>(row), no_nulls);
}

// A table that is being written to, inside pg::call.
struct Target {
    Relation table;
    int columns;
    CommandId command;
    Relation indexes[INDEX_MAX_KEYS];
    int index_count;
};

Target open(Oid table, std::span<const Oid> indexes, int columns)
{
    Target target;
    target.table = table_open(table, NoLock); // the caller has it
    target.columns = columns;
    target.command = GetCurrentCommandId(true);
    target.index_count = 0;
    for (Oid index : indexes)
        target.indexes[target.index_count++] = index_open(index, RowExclusiveLock);
    return target;
}

void close(const Target &target)
{
    for (int i = 0; i < target.index_count; ++i)
        index_close(target.indexes[i], NoLock);
    table_close(target.table, NoLock);
}

// False only where the check is partial: the key may be taken.
bool insert_into(Relation index, Relation table, const Datum *row, ItemPointer where,
                 IndexUniqueCheck check)
{
    Datum keys[INDEX_MAX_KEYS];
    bool nulls[INDEX_MAX_KEYS] = {};
    int const count = index->rd_index->indnatts;
    for (int i = 0; i < count; ++i)
        keys[i] = row[index->rd_index->indkey.values[i] - 1];
    // A btree asks its IndexInfo nothing when it inserts; a plain table has no other index.
    IndexInfo info{};
    info.type = T_IndexInfo;
    info.ii_NumIndexAttrs = count;
    info.ii_NumIndexKeyAttrs = index->rd_index->indnkeyatts;
    info.ii_Unique = true;
    return index_insert(index, keys, nulls, where, table, check, false, &info);
}

void insert_one(const Target &target, const Datum *row)
{
    HeapTuple const tuple = form(target.table, row);
    heap_insert(target.table, tuple, target.command, 0, nullptr);
    for (int i = 0; i < target.index_count; ++i)
        insert_into(target.indexes[i], target.table, row, &tuple->t_self, UNIQUE_CHECK_YES);
    heap_freetuple(tuple);
}

// Others who come upon the row wait for the token, not for the transaction.
bool insert_one_on_approval(const Target &target, const Datum *row)
{
    TransactionId const me = GetCurrentTransactionId();
    HeapTuple const tuple = form(target.table, row);
    // Taken outside of the macro, which asks for its argument twice in PostgreSQL 15.
    uint32 const token = SpeculativeInsertionLockAcquire(me);
    HeapTupleHeaderSetSpeculativeToken(tuple->t_data, token);
    heap_insert(target.table, tuple, target.command, HEAP_INSERT_SPECULATIVE, nullptr);
    bool const free =
        insert_into(target.indexes[0], target.table, row, &tuple->t_self, UNIQUE_CHECK_PARTIAL);
    if (free)
        for (int i = 1; i < target.index_count; ++i)
            insert_into(target.indexes[i], target.table, row, &tuple->t_self, UNIQUE_CHECK_YES);
    if (free)
        heap_finish_speculative(target.table, &tuple->t_self);
    else
        heap_abort_speculative(target.table, &tuple->t_self);
    SpeculativeInsertionLockRelease(me);
    heap_freetuple(tuple);
    return free;
}

// One WAL record a page instead of one a row, and index by index, so that each index's pages are
// visited in one go.
void insert_chunk(const Target &target, const Datum *rows, TupleTableSlot **slots, int count)
{
    auto const row = [&](int i) { return rows + static_cast<std::ptrdiff_t>(i) * target.columns; };
    for (int i = 0; i < count; ++i)
        ExecStoreHeapTuple(form(target.table, row(i)), slots[i], false);
    heap_multi_insert(target.table, slots, count, target.command, 0, nullptr);
    for (int index = 0; index < target.index_count; ++index)
        for (int i = 0; i < count; ++i)
            insert_into(target.indexes[index], target.table, row(i), &slots[i]->tts_tid,
                        UNIQUE_CHECK_YES);
}

void insert_many(const Target &target, std::span<const Datum> values)
{
    std::size_t const columns = static_cast<std::size_t>(target.columns);
    std::size_t const rows = values.size() / columns;
    std::size_t const chunk = std::min(rows, kChunk);
    auto **const slots = static_cast<TupleTableSlot **>(palloc(chunk * sizeof(TupleTableSlot *)));
    for (std::size_t i = 0; i < chunk; ++i)
        slots[i] = MakeSingleTupleTableSlot(RelationGetDescr(target.table), &TTSOpsHeapTuple);
    MemoryContext const memory =
        AllocSetContextCreate(CurrentMemoryContext, "arbiter insert", ALLOCSET_DEFAULT_SIZES);
    for (std::size_t row = 0; row < rows; row += chunk) {
        int const count = static_cast<int>(std::min(chunk, rows - row));
        CHECK_FOR_INTERRUPTS();
        MemoryContext const caller = MemoryContextSwitchTo(memory);
        insert_chunk(target, values.data() + row * columns, slots, count);
        MemoryContextSwitchTo(caller);
        for (int i = 0; i < count; ++i)
            ExecClearTuple(slots[i]);
        MemoryContextReset(memory);
    }
    for (std::size_t i = 0; i < chunk; ++i)
        ExecDropSingleTupleTableSlot(slots[i]);
    MemoryContextDelete(memory);
    pfree(slots);
}

} // namespace

bool insert_plain(Oid table, std::span<const Oid> indexes, int columns,
                  std::span<const Datum> values, FirstRow first)
{
    return call([=] {
        Target const target = open(table, indexes, columns);
        std::span<const Datum> rest = values;
        bool const taken_back =
            first == FirstRow::on_approval && !insert_one_on_approval(target, values.data());
        if (first == FirstRow::on_approval)
            rest = values.subspan(static_cast<std::size_t>(columns));
        if (!taken_back && rest.size() == static_cast<std::size_t>(columns))
            insert_one(target, rest.data());
        else if (!taken_back && !rest.empty())
            insert_many(target, rest);
        close(target);
        return !taken_back;
    });
}

} // namespace arbiter::pg
