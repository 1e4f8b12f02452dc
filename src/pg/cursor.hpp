// The rows of a query of any size, some at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pg/spi.hpp"
#include "pg/types.hpp"

struct PortalData;

namespace arbiter::pg {

// Reads with the snapshot of its first moment, as the current role. Lives inside the Spi it is
// given.
class Cursor {
public:
    // `columns` is what the query returns.
    Cursor(const Spi &spi, const std::string &sql, int columns);
    ~Cursor();
    Cursor(const Cursor &) = delete;
    Cursor &operator=(const Cursor &) = delete;

    // The next rows, at most that many; false where there is none. What they point to lives until
    // the next call.
    bool fetch(std::size_t max_rows);
    std::size_t rows() const noexcept { return rows_; }
    // Column by column, row by row. Columns count from 0.
    std::span<const Datum> values() const noexcept { return values_; }
    std::span<const Datum> row(std::size_t row) const noexcept
    {
        return std::span(values_).subspan(row * columns_, columns_);
    }
    bool is_null(std::size_t row, std::size_t column) const noexcept
    {
        return nulls_[row * columns_ + column] != 0;
    }

private:
    std::size_t const columns_;
    PortalData *portal_;
    SPITupleTable *table_ = nullptr;
    std::size_t rows_ = 0;
    std::vector<Datum> values_;
    std::vector<char> nulls_;
    Unwinding unwinding_;
};

} // namespace arbiter::pg
