// One row of a pool, locked by its key; and the moments that are written into rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/duration.hpp"
#include "pg/spi.hpp"
#include "pool/pool.hpp"

namespace arbiter::pool {

struct Row {
    Datum place; // valid as long as the Spi
    std::optional<std::string> owner;
    std::optional<std::int64_t> token;
};

// The row as it is now, locked, whatever the isolation level; nothing if there is none.
std::optional<Row> lock(pg::Spi &spi, Pool &pool, std::string_view key);

// One moment for all that a call writes.
class Moment {
public:
    Moment() noexcept;
    pg::Value now() const noexcept { return pg::Value::of(static_cast<Datum>(now_)); }
    pg::Value later(Duration by) const noexcept;
    pg::Value earlier(Duration by) const noexcept;
    // No token of a row that was deleted and came back is larger: microseconds since 1970.
    pg::Value least_token() const noexcept;

private:
    std::int64_t now_; // microseconds since 2000, as the server counts
};

// Runs a statement that writes the one row. 55000 where a trigger has kept it from doing so.
pg::Rows write(pg::Spi &spi, const Pool &pool, pg::Statement &statement,
               std::initializer_list<pg::Value> values);

} // namespace arbiter::pool
