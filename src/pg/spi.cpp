#include "pg/postgres.hpp"

#include "pg/spi.hpp"

#include <array>

#include "base/failure.hpp"
#include "pg/arguments.hpp"
#include "pg/guard.hpp"
#include "pg/planning.hpp"

namespace arbiter::pg {

Oid type_oid(Type type) noexcept
{
    switch (type) {
    case Type::text:
        return TEXTOID;
    case Type::bigint:
        return INT8OID;
    case Type::integer:
        return INT4OID;
    case Type::uuid:
        return UUIDOID;
    case Type::jsonb:
        return JSONBOID;
    case Type::boolean:
        return BOOLOID;
    case Type::timestamptz:
        return TIMESTAMPTZOID;
    case Type::text_array:
        return TEXTARRAYOID;
    case Type::interval:
        return INTERVALOID;
    case Type::tid:
        return TIDOID;
    case Type::regclass:
        return REGCLASSOID;
    }
    pg_unreachable();
}

namespace {

constexpr std::size_t kMaxValues = 16;

void check(int result, const char *sql)
{
    if (result < 0)
        elog(ERROR, "statement failed: %s: %s", SPI_result_code_string(result), sql);
}

// The form in which SPI takes parameters; plain arrays, so that a longjmp may pass them.
struct Parameters {
    Parameters(std::span<const Value> values)
    {
        Assert(values.size() <= kMaxValues);
        for (std::size_t i = 0; i < values.size(); ++i) {
            datums[i] = values[i].datum();
            nulls[i] = values[i].is_null() ? 'n' : ' ';
        }
    }
    std::array<Datum, kMaxValues> datums{};
    std::array<char, kMaxValues> nulls{};
};

std::span<const Value> span_of(std::initializer_list<Value> values) noexcept
{
    return {values.begin(), values.size()};
}

} // namespace

Value::Value(std::string_view text) : datum_(text_datum(text)) {}
Value::Value(const Uuid &uuid) : datum_(uuid_datum(uuid)) {}

namespace {

int options_of(Planning planning) noexcept
{
    switch (planning) {
    case Planning::kept:
        return 0;
    case Planning::for_each_call:
        return CURSOR_OPT_CUSTOM_PLAN;
    case Planning::by_index:
        return CURSOR_OPT_GENERIC_PLAN | CURSOR_OPT_FAST_PLAN;
    }
    pg_unreachable();
}

} // namespace

Statement::Statement(std::string sql, std::span<const Type> types, Planning planning,
                     const IndexWanted *wanted)
    : sql_(std::move(sql)), planning_(planning), wanted_(wanted)
{
    for (Type type : types)
        types_.push_back(type_oid(type));
}

Statement::~Statement()
{
    // Frees memory and a reference to a plan; it has nothing to fail with.
    if (plan_)
        SPI_freeplan(plan_);
}

_SPI_plan *Statement::plan()
{
    if (!plan_)
        plan_ = call([this] {
            SPIPlanPtr const plan =
                SPI_prepare_cursor(sql_.c_str(), static_cast<int>(types_.size()), types_.data(),
                                   options_of(planning_));
            if (!plan)
                check(SPI_result, sql_.c_str());
            SPI_keepplan(plan);
            return plan;
        });
    if (planning_ == Planning::by_index)
        plan_by_index();
    return plan_;
}

// Here and not when it is executed: what runs inside of it is not to be planned like this.
void Statement::plan_by_index()
{
    PlannedByIndex const scope(wanted_);
    call([this] {
        ResourceOwner const owner = CurrentResourceOwner;
        ReleaseCachedPlan(SPI_plan_get_cached_plan(plan_), owner);
    });
}

bool Rows::is_null(std::uint64_t row, int column) const
{
    return call([=, this] {
        bool null = false;
        SPI_getbinval(table_->vals[row], table_->tupdesc, column + 1, &null);
        return null;
    });
}

Datum Rows::datum(std::uint64_t row, int column) const
{
    return call([=, this] {
        bool null = false;
        return SPI_getbinval(table_->vals[row], table_->tupdesc, column + 1, &null);
    });
}

namespace {

// Whoever owns a table may change the type of a column or let it be null, and what is taken for a
// pointer and is none is a crash.
void require_pointer(const Rows &rows, std::uint64_t row, int column, TupleDesc descriptor,
                     int length)
{
    Form_pg_attribute const attribute = TupleDescAttr(descriptor, column);
    if (attribute->attlen == length && !rows.is_null(row, column))
        return;
    throw Failure(sqlstate::kStoreFormat,
                  std::string("column \"") + NameStr(attribute->attname) +
                      "\" is null, or not of the type it was made with",
                  {}, "Give the table back the columns that it has in a new store.");
}

} // namespace

std::int64_t Rows::bigint(std::uint64_t row, int column) const
{
    return DatumGetInt64(datum(row, column));
}

bool Rows::boolean(std::uint64_t row, int column) const
{
    return DatumGetBool(datum(row, column));
}

std::string_view Rows::text(std::uint64_t row, int column) const
{
    require_pointer(*this, row, column, table_->tupdesc, -1);
    Datum const value = datum(row, column);
    struct varlena const *const packed = call([value] { return PG_DETOAST_DATUM_PACKED(value); });
    return {VARDATA_ANY(packed), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(packed))};
}

Uuid Rows::uuid(std::uint64_t row, int column) const
{
    require_pointer(*this, row, column, table_->tupdesc, UUID_LEN);
    Uuid uuid;
    memcpy(uuid.octets.data(), DatumGetUUIDP(datum(row, column))->data, UUID_LEN);
    return uuid;
}

Spi::Spi()
{
    call([] { SPI_connect(); });
}

Spi::~Spi()
{
    if (!unwinding_)
        SPI_finish();
}

Rows Spi::run(Statement &statement, std::span<const Value> values, Sees sees, long max_rows)
{
    _SPI_plan *const plan = statement.plan();
    Parameters parameters(values);
    call([&] {
        Datum *const datums = parameters.datums.data();
        char const *const nulls = parameters.nulls.data();
        check(sees == Sees::latest
                  ? SPI_execute_snapshot(plan, datums, nulls, GetLatestSnapshot(), InvalidSnapshot,
                                         false, true, max_rows)
                  : SPI_execute_plan(plan, datums, nulls, sees == Sees::caller, max_rows),
              statement.sql_.c_str());
    });
    return {SPI_tuptable, SPI_processed};
}

Rows Spi::run(Statement &statement, std::initializer_list<Value> values, Sees sees, long max_rows)
{
    return run(statement, span_of(values), sees, max_rows);
}

Rows Spi::run(const std::string &sql, Sees sees)
{
    call([&] { check(SPI_execute(sql.c_str(), sees == Sees::caller, 0), sql.c_str()); });
    return {SPI_tuptable, SPI_processed};
}

Rows Spi::run(const std::string &sql, std::initializer_list<Type> types,
              std::initializer_list<Value> values, Sees sees)
{
    std::array<Oid, kMaxValues> oids{};
    std::size_t count = 0;
    for (Type type : types)
        oids[count++] = type_oid(type);
    Parameters parameters(span_of(values));
    call([&] {
        check(SPI_execute_with_args(sql.c_str(), static_cast<int>(count), oids.data(),
                                    parameters.datums.data(), parameters.nulls.data(),
                                    sees == Sees::caller, 0),
              sql.c_str());
    });
    return {SPI_tuptable, SPI_processed};
}

void Spi::forget(const Rows &rows)
{
    call([&] { SPI_freetuptable(rows.table_); });
}

void Spi::run_into(_DestReceiver *receiver, Statement &statement,
                   std::initializer_list<Value> values, Sees sees)
{
    _SPI_plan *const plan = statement.plan();
    Parameters parameters(span_of(values));
    call([&] {
        int const count = static_cast<int>(statement.types_.size());
        ParamListInfo const list = makeParamList(count);
        for (int i = 0; i < count; ++i) {
            auto const n = static_cast<std::size_t>(i);
            list->params[i] = {.value = parameters.datums[n],
                               .isnull = parameters.nulls[n] == 'n',
                               .pflags = PARAM_FLAG_CONST,
                               .ptype = statement.types_[n]};
        }
        SPIExecuteOptions options{};
        options.params = list;
        options.read_only = sees == Sees::caller;
        options.must_return_tuples = true;
        options.dest = receiver;
        check(SPI_execute_plan_extended(plan, &options), statement.sql_.c_str());
    });
}

} // namespace arbiter::pg
