#include "pg/postgres.hpp"

#include "pg/result_set.hpp"

#include <array>

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

constexpr std::size_t kMaxColumns = 16;

struct Row {
    explicit Row(std::initializer_list<Value> row)
    {
        std::size_t column = 0;
        for (const Value &value : row) {
            datums[column] = value.datum();
            nulls[column++] = value.is_null();
        }
    }
    std::array<Datum, kMaxColumns> datums{};
    std::array<bool, kMaxColumns> nulls{};
};

// Where the rows of one set live. What a statement takes from the system and gives back is faulted
// in page by page the next time, which cost half as much again as reading a thousand events; the
// first megabyte is kept instead. A set that begins while this is taken lives in its query's
// memory: an error leaves it behind, and would leave it here for as long as the other lives.
constexpr Size kKept = Size{1024} * 1024;
constinit MemoryContext rows = nullptr;
constinit bool are_rows_taken = false;

void forget_rows(void *)
{
    MemoryContextReset(rows);
    are_rows_taken = false;
}

// In the place of the set that the server has made in the query's memory, and lives as long.
Tuplestorestate *begin_kept(MemoryContext query, bool random_access)
{
    if (!rows)
        rows = GenerationContextCreate(TopMemoryContext, "arbiter rows", kKept,
                                       ALLOCSET_DEFAULT_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
    auto *const end = static_cast<MemoryContextCallback *>(
        MemoryContextAlloc(query, sizeof(MemoryContextCallback)));
    *end = {.func = forget_rows, .arg = nullptr, .next = nullptr};
    MemoryContextRegisterResetCallback(query, end);
    are_rows_taken = true;
    MemoryContext const caller = MemoryContextSwitchTo(rows);
    Tuplestorestate *const set = tuplestore_begin_heap(random_access, false, work_mem);
    MemoryContextSwitchTo(caller);
    return set;
}

} // namespace

ResultSet::ResultSet(FunctionCallInfo fcinfo, Columns columns)
    : result_(reinterpret_cast<ReturnSetInfo *>(fcinfo->resultinfo))
{
    call([fcinfo, columns, this] {
        InitMaterializedSRF(fcinfo, columns == Columns::one ? MAT_SRF_USE_EXPECTED_DESC : 0);
        if (are_rows_taken)
            return;
        tuplestore_end(result_->setResult);
        result_->setResult = begin_kept(result_->econtext->ecxt_per_query_memory,
                                        (result_->allowedModes & SFRM_Materialize_Random) != 0);
    });
}

void ResultSet::add(std::initializer_list<Value> values)
{
    Row row(values);
    call([&] {
        tuplestore_putvalues(result_->setResult, result_->setDesc, row.datums.data(),
                             row.nulls.data());
    });
}

void ResultSet::add(TupleTableSlot *row)
{
    call([=, this] {
        int const columns = result_->setDesc->natts;
        if (row->tts_tupleDescriptor->natts == columns) // copied as it stands, not taken apart
            return tuplestore_puttupleslot(result_->setResult, row);
        slot_getsomeattrs(row, columns);
        tuplestore_putvalues(result_->setResult, result_->setDesc, row->tts_values,
                             row->tts_isnull);
    });
}

void ResultSet::add_query(Statement &statement, std::initializer_list<Value> values, Sees sees)
{
    DestReceiver *const receiver = call([this] {
        DestReceiver *const made = CreateTuplestoreDestReceiver();
        SetTuplestoreDestReceiverParams(made, result_->setResult, CurrentMemoryContext, false,
                                        nullptr, nullptr);
        return made;
    });
    Spi spi;
    spi.run_into(receiver, statement, values, sees);
}

Datum row_datum(FunctionCallInfo fcinfo, std::initializer_list<Value> values)
{
    Row row(values);
    return call([&] {
        Oid const type = get_func_rettype(fcinfo->flinfo->fn_oid);
        if (type != RECORDOID) { // known to the session; below it is put together for each call
            TupleDesc const known = lookup_rowtype_tupdesc(type, -1);
            HeapTuple const tuple = heap_form_tuple(known, row.datums.data(), row.nulls.data());
            ReleaseTupleDesc(known);
            return HeapTupleGetDatum(tuple);
        }
        TupleDesc descriptor = nullptr;
        if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
            elog(ERROR, "return type must be a row type");
        return HeapTupleGetDatum(
            heap_form_tuple(BlessTupleDesc(descriptor), row.datums.data(), row.nulls.data()));
    });
}

} // namespace arbiter::pg
