#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "pg/catalog.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

const TriggerData &trigger_data(FunctionCallInfo fcinfo)
{
    if (!CALLED_AS_TRIGGER(fcinfo))
        throw Failure(sqlstate::kTriggerProtocolViolated, "this function is for triggers only");
    return *reinterpret_cast<TriggerData *>(fcinfo->context);
}

std::string schema_of(const TriggerData &trigger)
{
    return schema_name(schema_of(RelationGetRelid(trigger.tg_relation)));
}

Field field(const TriggerData &trigger, HeapTuple row, int column)
{
    return call([&] {
        Field found{};
        found.datum = heap_getattr(row, column, RelationGetDescr(trigger.tg_relation), &found.null);
        return found;
    });
}

Datum row_as(const TriggerData &trigger, HeapTuple row, Oid type)
{
    return call([&] {
        TupleDesc const table = RelationGetDescr(trigger.tg_relation);
        TupleDesc const descriptor = lookup_rowtype_tupdesc(type, -1);
        auto const count = static_cast<std::size_t>(table->natts);
        auto *const values = static_cast<Datum *>(palloc(count * sizeof(Datum)));
        auto *const nulls = static_cast<bool *>(palloc(count * sizeof(bool)));
        heap_deform_tuple(row, table, values, nulls);
        Datum const made = HeapTupleGetDatum(heap_form_tuple(descriptor, values, nulls));
        ReleaseTupleDesc(descriptor);
        return made;
    });
}

const char *command_of(const TriggerData &trigger) noexcept
{
    return TRIGGER_FIRED_BY_UPDATE(trigger.tg_event)   ? "UPDATE"
           : TRIGGER_FIRED_BY_DELETE(trigger.tg_event) ? "DELETE"
           : TRIGGER_FIRED_BY_INSERT(trigger.tg_event) ? "INSERT"
                                                       : "TRUNCATE";
}

} // namespace arbiter::pg
