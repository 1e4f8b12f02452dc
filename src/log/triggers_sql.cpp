#include "pg/entry.hpp"

#include "base/failure.hpp"
#include "log/raw_insert.hpp"
#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/passage.hpp"
#include "pg/trigger.hpp"

using namespace arbiter;

namespace {

// The columns the log judges.
struct Incoming {
    Datum values[8];
    bool nulls[8];
    bool is_null(store::Column column) const { return nulls[column - 1]; }
    Datum value(store::Column column) const { return values[column - 1]; }
};

Incoming incoming(const TriggerData &trigger)
{
    return pg::call([&] {
        Incoming row;
        for (int column = store::kPosition; column <= store::kRecordedAt; ++column)
            row.values[column - 1] =
                heap_getattr(trigger.tg_trigtuple, column, RelationGetDescr(trigger.tg_relation),
                             &row.nulls[column - 1]);
        for (auto column : {store::kStream, store::kType, store::kMetadata})
            if (!row.is_null(column))
                row.values[column - 1] =
                    PointerGetDatum(PG_DETOAST_DATUM_PACKED(row.value(column)));
        return row;
    });
}

std::string_view view(Datum text)
{
    return {VARDATA_ANY(text), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(text))};
}

// The table would refuse them too, but only after having found that it has no position yet.
void refuse_nulls(const Incoming &row, Relation table)
{
    for (auto column : {store::kStream, store::kRevision, store::kType, store::kMetadata})
        if (row.is_null(column))
            throw Failure(sqlstate::kNotNullViolation,
                          std::string("null value in column \"") +
                              NameStr(TupleDescAttr(RelationGetDescr(table), column - 1)->attname) +
                              "\" of relation \"" + RelationGetRelationName(table) +
                              "\" violates not-null constraint");
}

} // namespace

ARBITER_FUNCTION(arbiter_guard_append)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    auto const store = store::open_by_events_table(RelationGetRelid(trigger.tg_relation));
    Incoming const row = incoming(trigger);
    refuse_nulls(row, trigger.tg_relation);
    log::RawRow const judged{
        .stream = view(row.value(store::kStream)),
        .revision = DatumGetInt64(row.value(store::kRevision)),
        .type = view(row.value(store::kType)),
        .metadata = row.value(store::kMetadata),
        .position = row.is_null(store::kPosition)
                        ? std::nullopt
                        : std::optional<std::int64_t>(DatumGetInt64(row.value(store::kPosition))),
        .recorded_at_given = !row.is_null(store::kRecordedAt),
        .own = pg::take_passage(store->events, pg::Command::insert)};
    if (judged.own && judged.position) {
        log::admit_recorded(*store, judged);
        return PointerGetDatum(trigger.tg_trigtuple);
    }
    std::int64_t const position = log::admit(*store, judged);
    return pg::call([&] {
        int columns[] = {store::kPosition, store::kRecordedAt};
        Datum values[] = {Int64GetDatum(position), TimestampTzGetDatum(GetCurrentTimestamp())};
        bool nulls[] = {false, false};
        return PointerGetDatum(heap_modify_tuple_by_cols(trigger.tg_trigtuple,
                                                         RelationGetDescr(trigger.tg_relation), 2,
                                                         columns, values, nulls));
    });
}

namespace {

bool is_our_own(const TriggerData &trigger)
{
    Oid const table = RelationGetRelid(trigger.tg_relation);
    if (TRIGGER_FIRED_BY_UPDATE(trigger.tg_event))
        return pg::take_passage(table, pg::Command::update);
    return TRIGGER_FIRED_BY_DELETE(trigger.tg_event) &&
           pg::take_passage(table, pg::Command::remove);
}

} // namespace

ARBITER_FUNCTION(arbiter_refuse_rewrite)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    if (is_our_own(trigger))
        return PointerGetDatum(nullptr);
    throw Failure(
        sqlstate::kAppendOnly, "the log of store \"" + pg::schema_of(trigger) + "\" is append-only",
        std::string(pg::command_of(trigger)) + " on its events is refused, for every role.",
        "To correct a fact, append an event that says so. To erase what must not be kept, "
        "call arbiter.redact or arbiter.truncate_stream.");
}
