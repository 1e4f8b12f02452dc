#include "command/key.hpp"

#include <string>

#include "base/failure.hpp"
#include "pg/json.hpp"
#include "pg/spi.hpp"

namespace arbiter::command {

namespace {

constexpr store::Query kKey{
    "SELECT e.metadata OPERATOR(pg_catalog.->) '$key' FROM {store}.events AS e "
    "WHERE e.stream OPERATOR(pg_catalog.=) $1 AND e.metadata OPERATOR(pg_catalog.?) '$key' "
    "ORDER BY e.revision LIMIT 1",
    pg::Type::text};

} // namespace

Key check_key(store::Store &store, std::string_view stream, Datum key)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kKey), {stream}, pg::Sees::caller, 1);
    if (rows.empty())
        return Key::unknown;
    Datum const recorded = rows.datum(0, 0);
    if (!pg::json_equal(recorded, key))
        throw Failure(sqlstate::kKeyCollision,
                      "stream \"" + std::string(stream) + "\" belongs to another key",
                      "It was written for " + pg::json_text(recorded) + ", now it is to be for " +
                          pg::json_text(key) + ".",
                      "Two natural keys have met under one name: do not retry, find out why.");
    return Key::on_record;
}

} // namespace arbiter::command
