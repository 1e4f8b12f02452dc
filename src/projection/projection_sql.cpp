#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/event_function.hpp"
#include "pg/text.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "projection/failure.hpp"
#include "projection/guard.hpp"
#include "projection/inline.hpp"
#include "projection/offset.hpp"
#include "projection/registry.hpp"
#include "projection/tables.hpp"

using namespace arbiter;

namespace {

// Every call on an entity takes it as text or as a uuid, which stands for its lower-case text.
using ReadEntity = std::string (*)(const pg::Arguments &);

std::string text_entity(const pg::Arguments &arguments)
{
    return std::string(arguments.text(2, "entity"));
}

std::string uuid_entity(const pg::Arguments &arguments)
{
    return to_string(arguments.uuid(2, "entity"));
}

Datum advance(FunctionCallInfo fcinfo, ReadEntity read_entity)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::string const entity = read_entity(arguments);
    std::int64_t const revision = arguments.bigint(3, "revision");
    pg::require_writable("arbiter.advance()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_BOOL(projection::advance(*store, {projection, entity}, revision));
}

Datum start_at(FunctionCallInfo fcinfo, ReadEntity read_entity)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::string const entity = read_entity(arguments);
    std::int64_t const revision = arguments.bigint(3, "revision");
    pg::require_writable("arbiter.start_at()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_BOOL(projection::start_at(*store, {projection, entity}, revision));
}

Datum last_revision(FunctionCallInfo fcinfo, ReadEntity read_entity)
{
    pg::Arguments arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const projection = arguments.text(1, "projection");
    PG_RETURN_INT64(projection::last_revision(*store, {projection, read_entity(arguments)}));
}

projection::FailedEvent failed_event(const pg::Arguments &arguments)
{
    auto const event = arguments.optional_jsonb(5);
    return {.revision = arguments.bigint(3, "revision"),
            .error = arguments.text(4, "error"),
            .event = event ? pg::Value::of(*event) : pg::Value::null()};
}

Datum fail_event(FunctionCallInfo fcinfo, ReadEntity read_entity)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::string const entity = read_entity(arguments);
    auto const event = failed_event(arguments);
    pg::require_writable("arbiter.fail_event()");
    auto const store = store::open_for_writing(store_name);
    auto const next_attempt_at =
        projection::fail(*store, {projection, entity}, event, arguments.optional_bigint(6));
    return next_attempt_at ? *next_attempt_at : pg::return_null(fcinfo);
}

Datum pass_event(FunctionCallInfo fcinfo, ReadEntity read_entity)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    std::string const entity = read_entity(arguments);
    auto const event = failed_event(arguments);
    pg::require_writable("arbiter.pass_event()");
    auto const store = store::open_for_writing(store_name);
    PG_RETURN_BOOL(projection::pass(*store, {projection, entity}, event));
}

} // namespace

ARBITER_FUNCTION(arbiter_advance_text)
{
    return advance(fcinfo, text_entity);
}

ARBITER_FUNCTION(arbiter_advance_uuid)
{
    return advance(fcinfo, uuid_entity);
}

ARBITER_FUNCTION(arbiter_start_at_text)
{
    return start_at(fcinfo, text_entity);
}

ARBITER_FUNCTION(arbiter_start_at_uuid)
{
    return start_at(fcinfo, uuid_entity);
}

ARBITER_FUNCTION(arbiter_last_revision_text)
{
    return last_revision(fcinfo, text_entity);
}

ARBITER_FUNCTION(arbiter_last_revision_uuid)
{
    return last_revision(fcinfo, uuid_entity);
}

ARBITER_FUNCTION(arbiter_fail_event_text)
{
    return fail_event(fcinfo, text_entity);
}

ARBITER_FUNCTION(arbiter_fail_event_uuid)
{
    return fail_event(fcinfo, uuid_entity);
}

ARBITER_FUNCTION(arbiter_pass_event_text)
{
    return pass_event(fcinfo, text_entity);
}

ARBITER_FUNCTION(arbiter_pass_event_uuid)
{
    return pass_event(fcinfo, uuid_entity);
}

ARBITER_FUNCTION(arbiter_create_projection)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    projection::Definition definition{.name = arguments.text(1, "projection"),
                                      .kind = arguments.text(2, "kind"),
                                      .handler = arguments.optional_text(3),
                                      .reconciler = arguments.optional_text(4),
                                      .reconcile_every =
                                          arguments.optional_duration(5, "reconcile_every"),
                                      .types = {},
                                      .category = arguments.optional_text(7),
                                      .strict = arguments.boolean(8, "strict"),
                                      .max_attempts = arguments.bigint(9, "max_attempts")};
    if (!arguments.is_null(6))
        definition.types = arguments.texts(6, "types");
    projection::check(definition);
    pg::require_writable("arbiter.create_projection()");
    auto const store = store::open_for_writing(store_name);
    if (projection::create(*store, definition, arguments.value(6), arguments.value(5)) ==
        projection::Made::existed)
        pg::notice("projection \"" + std::string(definition.name) + "\" already exists, skipping");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_projection)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const projection = arguments.text(1, "projection");
    bool const force = arguments.boolean(2, "force");
    pg::require_writable("arbiter.drop_projection()");
    auto const store = store::open_for_writing(store_name);
    projection::drop(*store, projection, force);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_guard_offsets)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    projection::guard_offsets(pg::schema_of(trigger), RelationGetRelationName(trigger.tg_relation),
                              pg::command_of(trigger));
    return 0;
}

ARBITER_FUNCTION(arbiter_guard_projections)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    bool const is_update = TRIGGER_FIRED_BY_UPDATE(trigger.tg_event);
    HeapTuple const row = is_update ? trigger.tg_newtuple : trigger.tg_trigtuple;
    for (HeapTuple const written : {trigger.tg_trigtuple, row})
        if (pg::Field const owner = pg::field(trigger, written, projection::kOwner); !owner.null)
            projection::guard_owner(pg::text_view(owner.datum));
    if (pg::Field const kind = pg::field(trigger, row, projection::kKind);
        !kind.null && pg::text_view(kind.datum) == "inline")
        pg::require_owner(
            pg::find_relation(pg::schema_of(RelationGetRelid(trigger.tg_relation)), "events"));
    return PointerGetDatum(row);
}

ARBITER_FUNCTION(arbiter_apply_inline)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    auto const store = store::open_by_events_table(RelationGetRelid(trigger.tg_relation));
    HeapTuple const row = trigger.tg_trigtuple;
    auto const at = [&](store::Column column) { return pg::field(trigger, row, column).datum; };
    projection::apply_inline(*store, {.stream = pg::text_view(at(store::kStream)),
                                      .revision = DatumGetInt64(at(store::kRevision)),
                                      .type = pg::text_view(at(store::kType)),
                                      .metadata = at(store::kMetadata),
                                      .row = pg::row_as(trigger, row, pg::event_type())});
    return 0;
}
