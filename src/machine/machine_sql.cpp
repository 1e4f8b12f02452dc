#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/json.hpp"
#include "pg/passage.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "log/append.hpp"
#include "log/stream_name.hpp"
#include "machine/known.hpp"
#include "machine/registry.hpp"
#include "machine/state.hpp"
#include "machine/transition.hpp"
#include "machine/wording.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_create_machine)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "machine");
    auto const category = arguments.text(2, "category");
    auto const initial = arguments.text(3, "initial");
    Datum const transitions = arguments.jsonb(4, "transitions");
    pg::require_writable("arbiter.create_machine()");
    machine::Machine const given(name, category, initial, read_json(pg::json_text(transitions)));
    auto const store = store::open_for_writing(store_name);
    if (machine::create(*store, given, transitions) == machine::Made::existed)
        pg::notice("machine " + machine::quoted(name) + " already exists, skipping");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_machine)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "machine");
    bool const force = arguments.boolean(2, "force");
    pg::require_writable("arbiter.drop_machine()");
    machine::drop(*store::open_for_writing(store_name), name, force);
    PG_RETURN_VOID();
}

namespace {

std::string_view name_of(machine::Outcome outcome)
{
    switch (outcome) {
    case machine::Outcome::applied:
        return "applied";
    case machine::Outcome::already:
        return "already";
    case machine::Outcome::replayed:
        return "replayed";
    }
    return {};
}

} // namespace

ARBITER_FUNCTION(arbiter_transition)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "machine");
    machine::Command const command{.entity = arguments.text(2, "entity"),
                                   .name = arguments.text(3, "command"),
                                   .data = arguments.jsonb(4, "data"),
                                   .id = arguments.optional_uuid(5)};
    pg::require_writable("arbiter.transition()");
    auto const store = log::open_for_append(store_name);
    auto const done = machine::transition(*store, machine::require(*store, name), command);
    return pg::row_datum(fcinfo,
                         {name_of(done.outcome), std::string_view(done.state), done.revision});
}

ARBITER_FUNCTION(arbiter_machine_state)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "machine");
    auto const entity = arguments.text(2, "entity");
    auto const store = store::open_for_reading(store_name);
    const machine::Machine &machine = machine::require(*store, name);
    auto const stream = log::stream_name(machine.category(), entity);
    return pg::text_datum(machine::read_state(*store, machine, stream));
}

ARBITER_FUNCTION(arbiter_guard_machines)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    Oid const table = RelationGetRelid(trigger.tg_relation);
    bool const ours =
        (TRIGGER_FIRED_BY_INSERT(trigger.tg_event) &&
         pg::take_passage(table, pg::Command::insert)) ||
        (TRIGGER_FIRED_BY_DELETE(trigger.tg_event) && pg::take_passage(table, pg::Command::remove));
    if (!ours)
        machine::guard_machines(pg::schema_of(trigger), pg::command_of(trigger));
    return 0;
}
