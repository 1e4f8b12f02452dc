#include "machine/registry.hpp"

#include <string>

#include "base/failure.hpp"
#include "machine/known.hpp"
#include "machine/tables.hpp"
#include "machine/wording.hpp"
#include "pg/catalog.hpp"
#include "pg/lock_manager.hpp"
#include "pg/passage.hpp"
#include "pg/spi.hpp"
#include "pg/text_array.hpp"
#include "pg/transaction.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::machine {

namespace {

constexpr store::Query kInsert{
    "INSERT INTO {store}.machines (machine, category, initial, transitions) "
    "VALUES ($1, $2, $3, $4)",
    pg::Type::text, pg::Type::text, pg::Type::text, pg::Type::jsonb};
constexpr store::Query kDelete{
    "DELETE FROM {store}.machines AS m WHERE m.machine OPERATOR(pg_catalog.=) $1", pg::Type::text};
// Any stream of the category: its name is the category, or begins with it and a hyphen. The point
// comes right after the hyphen.
constexpr store::Query kHasEvents{
    "SELECT e.stream FROM ONLY {store}.events AS e "
    "WHERE (e.stream OPERATOR(pg_catalog.=) $1 OR (e.stream OPERATOR(pg_catalog.>=) $2 "
    "AND e.stream OPERATOR(pg_catalog.<) $3)) AND e.type OPERATOR(pg_catalog.=) ANY ($4) LIMIT 1",
    pg::Type::text, pg::Type::text, pg::Type::text, pg::Type::text_array};
constexpr store::Query kHasSweep{
    "SELECT s.sweep FROM {store}.sweeps AS s WHERE s.machine OPERATOR(pg_catalog.=) $1 LIMIT 1",
    pg::Type::text};

const Machine *find(const std::vector<Machine> &machines, std::string_view name)
{
    for (const Machine &machine : machines)
        if (machine.name() == name)
            return &machine;
    return nullptr;
}

void require_identical(const Machine &existing, const Machine &given)
{
    if (std::string detail = difference(existing, given); !detail.empty())
        throw Failure(sqlstate::kDuplicateObject,
                      "machine " + quoted(given.name()) + " exists with another definition",
                      std::move(detail),
                      "To change it, drop it with force and create it anew in one transaction.");
}

// Two machines could disagree on whether an event may come.
void require_own_types(const std::vector<Machine> &machines, const Machine &given)
{
    for (const Machine &other : machines)
        for (std::string_view type : given.types())
            if (other.category() == given.category() && other.target(type))
                throw Failure(sqlstate::kInvalidParameterValue,
                              "event type " + quoted(type) + " belongs to machine " +
                                  quoted(other.name()) + " of category " + quoted(other.category()),
                              {}, "Give the new machine event types of its own.");
}

// From here on nobody writes an event that the old rules have let pass, and whoever writes after us
// hears of the change before it writes.
void change_rules(const store::Store &store)
{
    pg::lock_table_against_writers(store.events);
    pg::announce_change(store.events);
}

// Returns how many rows were written.
std::uint64_t write(store::Store &store, const store::Query &query, pg::Command command,
                    std::initializer_list<pg::Value> values)
{
    pg::Spi spi;
    pg::Passage const passage(store.table(kMachines).table, command);
    auto const count = spi.run(store.statement(query), values, pg::Sees::fresh).count();
    pg::increment_command_counter(); // and this session hears of the change
    return count;
}

void refuse_if_in_use(store::Store &store, const Machine &machine)
{
    auto const types = machine.types();
    std::string const first = machine.category() + "-";
    std::string const beyond = machine.category() + ".";
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kHasEvents),
                                  {std::string_view(machine.category()), std::string_view(first),
                                   std::string_view(beyond), pg::Value::of(pg::text_array(types))},
                                  pg::Sees::latest);
    if (!rows.empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "machine " + quoted(machine.name()) + " is in use",
                      "Stream " + quoted(rows.text(0, 0)) + " has events of it.",
                      "Dropping it lets every event in; pass force => true if that is meant.");
}

void refuse_if_swept(store::Store &store, std::string_view name)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kHasSweep), {name}, pg::Sees::latest);
    if (!rows.empty())
        throw Failure(
            sqlstate::kDependentObjectsStillExist, "machine " + quoted(name) + " is in use",
            "Sweep " + quoted(rows.text(0, 0)) + " gives it commands.", "Drop the sweep first.");
}

} // namespace

Made create(store::Store &store, const Machine &machine, Datum transitions)
{
    pg::require_privileges(store.table(kMachines).table, pg::Privileges::insert);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    auto const machines = load(store);
    if (const Machine *existing = find(machines, machine.name())) {
        require_identical(*existing, machine);
        return Made::existed;
    }
    require_own_types(machines, machine);
    change_rules(store);
    write(store, kInsert, pg::Command::insert,
          {std::string_view(machine.name()), std::string_view(machine.category()),
           std::string_view(machine.initial()), pg::Value::of(transitions)});
    return Made::created;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    pg::require_privileges(store.table(kMachines).table, pg::Privileges::select_insert_and_delete);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    change_rules(store);
    refuse_if_swept(store, name);
    // With force nothing is read from the row: it goes also if it is not what we make.
    if (!force)
        refuse_if_in_use(store, require(store, name));
    if (write(store, kDelete, pg::Command::remove, {name}) == 0)
        refuse_unknown(store, name);
}

void guard_machines(std::string_view store, std::string_view command)
{
    throw Failure(sqlstate::kAppendOnly,
                  "the machines of store " + quoted(store) + " change by their own calls",
                  std::string(command) + " on them is refused, for every role: sessions that have "
                                         "judged by the old rules would go on doing so.",
                  "Use arbiter.create_machine and arbiter.drop_machine.");
}

} // namespace arbiter::machine
