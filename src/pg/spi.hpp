// SQL from C++: saved plans, their values, their rows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "pg/types.hpp"
#include "pg/unwinding.hpp"

struct _DestReceiver;
struct _SPI_plan;
struct SPITupleTable;

namespace arbiter::pg {

enum class Type {
    text,
    bigint,
    integer,
    uuid,
    jsonb,
    boolean,
    timestamptz,
    text_array,
    interval,
    tid,
    regclass
};
Oid type_oid(Type type) noexcept;

// A parameter's value. Text is copied into the server's form in the current memory context.
class Value {
public:
    Value(std::int64_t value) noexcept : datum_(static_cast<Datum>(value)) {}
    Value(std::string_view text);
    Value(const Uuid &uuid);
    Value(bool value) noexcept : datum_(value ? 1 : 0) {}
    template <typename T>
    Value(const std::optional<T> &value) : null_(!value)
    {
        if (value)
            *this = Value(*value);
    }
    // A value the server already has in its own form.
    static Value of(Datum datum) noexcept { return Value(datum, false); }
    static Value null() noexcept { return Value(0, true); }
    Datum datum() const noexcept { return datum_; }
    bool is_null() const noexcept { return null_; }

private:
    Value(Datum datum, bool null) noexcept : datum_(datum), null_(null) {}
    Datum datum_ = 0;
    bool null_ = false;
};

// Where a good plan depends on the values, it is made anew for each of them. Where it must not
// depend on what the planner believes of a table, it goes by index, once for all values.
enum class Planning { kept, for_each_call, by_index };

struct IndexWanted;

// A statement with a plan that is made on first use and kept. The text must be safe under any
// search_path: names qualified, operators too.
class Statement {
public:
    // With by_index: the index to go by, if the table has it; it outlives the statement.
    Statement(std::string sql, std::span<const Type> types, Planning planning = Planning::kept,
              const IndexWanted *wanted = nullptr);
    ~Statement();
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

private:
    friend class Spi;
    _SPI_plan *plan();
    void plan_by_index();
    std::string sql_;
    std::vector<Oid> types_;
    Planning const planning_;
    const IndexWanted *const wanted_;
    _SPI_plan *plan_ = nullptr;
};

// Rows of the last statement of an Spi; they and what they point to live until that Spi ends.
class Rows {
public:
    Rows(SPITupleTable *table, std::uint64_t count) noexcept : table_(table), count_(count) {}
    std::uint64_t count() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    bool is_null(std::uint64_t row, int column) const;
    Datum datum(std::uint64_t row, int column) const;
    std::int64_t bigint(std::uint64_t row, int column) const;
    bool boolean(std::uint64_t row, int column) const;
    std::string_view text(std::uint64_t row, int column) const;
    Uuid uuid(std::uint64_t row, int column) const;

private:
    friend class Spi;
    SPITupleTable *table_;
    std::uint64_t count_; // rows processed, also where nothing is returned
};

// What a statement sees. `caller`: the snapshot of the calling statement, nothing written.
// `fresh`: a new snapshot where the isolation level allows one, and it may write. `latest`: what is
// committed at this very moment, whatever the isolation level, and it may write.
enum class Sees { caller, fresh, latest };

// One connection to SPI. Memory taken while it lives is freed when it ends.
class Spi {
public:
    Spi();
    ~Spi();
    Spi(const Spi &) = delete;
    Spi &operator=(const Spi &) = delete;

    Rows run(Statement &statement, std::span<const Value> values, Sees sees, long max_rows = 0);
    Rows run(Statement &statement, std::initializer_list<Value> values, Sees sees,
             long max_rows = 0);
    // Unplanned text, several statements allowed: DDL and one-off questions.
    Rows run(const std::string &sql, Sees sees);
    Rows run(const std::string &sql, std::initializer_list<Type> types,
             std::initializer_list<Value> values, Sees sees);
    // Before their Spi ends, where there are many of them.
    void forget(const Rows &rows);
    // The rows go straight to the receiver, one by one.
    void run_into(_DestReceiver *receiver, Statement &statement,
                  std::initializer_list<Value> values, Sees sees);

private:
    Unwinding unwinding_;
};

} // namespace arbiter::pg
