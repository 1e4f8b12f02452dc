#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"

#include "log/fold.hpp"
#include "log/read.hpp"
#include "log/stream_name.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_read_stream)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const stream = arguments.text(1, "stream");
    log::Range const range{.from = arguments.optional_bigint(2),
                           .max_count = arguments.optional_bigint(3),
                           .backwards = arguments.boolean(4, "backwards")};
    pg::ResultSet events(fcinfo);
    log::read_stream(*store, stream, range, events);
    return 0;
}

ARBITER_FUNCTION(arbiter_last_event)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const stream = arguments.text(1, "stream");
    auto const type = arguments.optional_text(2);
    pg::ResultSet events(fcinfo);
    log::last_event(*store, stream, type, events);
    return 0;
}

ARBITER_FUNCTION(arbiter_fold)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const stream = arguments.text(1, "stream");
    auto const evolve = arguments.text(2, "evolve");
    return log::fold(*store, stream, evolve, arguments.jsonb(3, "initial"), pg::Sees::caller).state;
}

ARBITER_FUNCTION(arbiter_stream_revision)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    PG_RETURN_INT64(log::stream_revision(*store, arguments.text(1, "stream")));
}

ARBITER_FUNCTION(arbiter_stream_name_text)
{
    pg::Arguments arguments(fcinfo);
    return pg::text_datum(log::stream_name(arguments.text(0, "category"), arguments.text(1, "id")));
}

ARBITER_FUNCTION(arbiter_stream_name_uuid)
{
    pg::Arguments arguments(fcinfo);
    return pg::text_datum(
        log::stream_name(arguments.text(0, "category"), to_string(arguments.uuid(1, "id"))));
}

ARBITER_FUNCTION(arbiter_category)
{
    return pg::text_datum(log::category(pg::Arguments(fcinfo).text(0, "stream")));
}

ARBITER_FUNCTION(arbiter_stream_id)
{
    auto const id = log::stream_id(pg::Arguments(fcinfo).text(0, "stream"));
    return id.empty() ? pg::return_null(fcinfo) : pg::text_datum(id);
}
