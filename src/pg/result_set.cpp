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

} // namespace

ResultSet::ResultSet(FunctionCallInfo fcinfo)
    : result_(reinterpret_cast<ReturnSetInfo *>(fcinfo->resultinfo))
{
    call([fcinfo] { InitMaterializedSRF(fcinfo, 0); });
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
        slot_getsomeattrs(row, result_->setDesc->natts);
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
        TupleDesc descriptor = nullptr;
        if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
            elog(ERROR, "return type must be a row type");
        return HeapTupleGetDatum(
            heap_form_tuple(BlessTupleDesc(descriptor), row.datums.data(), row.nulls.data()));
    });
}

} // namespace arbiter::pg
