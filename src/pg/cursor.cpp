#include "pg/postgres.hpp"

#include "pg/cursor.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

Cursor::Cursor(const Spi &, const std::string &sql, int columns)
    : columns_(static_cast<std::size_t>(columns)), portal_(call([&] {
          SPIPlanPtr const plan = SPI_prepare_cursor(sql.c_str(), 0, nullptr, CURSOR_OPT_NO_SCROLL);
          if (!plan)
              elog(ERROR, "statement failed: %s: %s", SPI_result_code_string(SPI_result),
                   sql.c_str());
          return SPI_cursor_open(nullptr, plan, nullptr, nullptr, false);
      }))
{
}

Cursor::~Cursor()
{
    if (!unwinding_)
        SPI_cursor_close(portal_);
}

bool Cursor::fetch(std::size_t max_rows)
{
    rows_ = call([&] {
        SPI_freetuptable(table_);
        SPI_cursor_fetch(portal_, true, static_cast<long>(max_rows));
        table_ = SPI_tuptable;
        return static_cast<std::size_t>(SPI_processed);
    });
    values_.resize(rows_ * columns_);
    nulls_.resize(rows_ * columns_);
    call([this] {
        bool nulls[MaxTupleAttributeNumber];
        for (std::size_t row = 0; row < rows_; ++row) {
            heap_deform_tuple(table_->vals[row], table_->tupdesc, &values_[row * columns_], nulls);
            for (std::size_t column = 0; column < columns_; ++column)
                nulls_[row * columns_ + column] = nulls[column] ? 1 : 0;
        }
    });
    return rows_ > 0;
}

} // namespace arbiter::pg
