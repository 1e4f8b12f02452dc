#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "projection/failure.hpp"
#include "projection/hand_out.hpp"

using namespace arbiter;

namespace {

pg::Value value_at(const pg::Rows &rows, std::uint64_t row, int column)
{
    return rows.is_null(row, column) ? pg::Value::null() : pg::Value::of(rows.datum(row, column));
}

} // namespace

ARBITER_FUNCTION(arbiter_next_events)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::int64_t const max_count = arguments.bigint(2, "max_count");
    std::optional<projection::Lease> lease;
    if (auto const length = arguments.optional_duration(3, "lease"))
        lease = {arguments.value(3), *length};
    pg::require_writable("arbiter.next_events()");
    auto const store = store::open_for_writing(store_name);
    pg::ResultSet result(fcinfo);
    projection::hand_out(
        *store, projection, max_count, lease, [&](const pg::Rows &rows, std::uint64_t row) {
            auto const at = [&](int column) { return value_at(rows, row, column); };
            result.add({at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)});
        });
    return 0;
}

ARBITER_FUNCTION(arbiter_done_event)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    auto const entity = arguments.text(2, "entity");
    std::int64_t const revision = arguments.bigint(3, "revision");
    std::int64_t const token = arguments.bigint(4, "token");
    pg::require_writable("arbiter.done_event()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_BOOL(projection::done(*store, {projection, entity}, revision, token));
}
