#include "machine/known.hpp"

#include <memory>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "machine/tables.hpp"
#include "machine/wording.hpp"
#include "pg/json.hpp"
#include "pg/table_scan.hpp"
#include "pg/text.hpp"

namespace arbiter::machine {

namespace {

Machine read(const store::Store &store, const pg::TableScan &row)
{
    std::string const name(pg::text_view(row.datum(kMachine)));
    try {
        return {name, pg::text_view(row.datum(kCategory)), pg::text_view(row.datum(kInitial)),
                read_json(pg::json_text(row.datum(kTransitions)))};
    } catch (const Failure &failure) {
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "machine " + quoted(name) + " of store " + quoted(store.name) +
                          " is not what create_machine makes",
                      failure.message() + (failure.detail().empty() ? "." : ": ") +
                          failure.detail(),
                      "Run SELECT arbiter.drop_machine(" + quote_literal(store.name) + ", " +
                          quote_literal(name) + ", force => true).");
    }
}

} // namespace

Known::Known(std::vector<Machine> machines) : machines_(std::move(machines))
{
    for (const Machine &machine : machines_)
        by_category_[machine.category()].push_back(&machine);
}

const Machine *Known::find(std::string_view name) const noexcept
{
    for (const Machine &machine : machines_)
        if (machine.name() == name)
            return &machine;
    return nullptr;
}

const std::vector<const Machine *> &Known::of(std::string_view category) const
{
    auto const found = by_category_.find(category);
    return found == by_category_.end() ? none_ : found->second;
}

std::vector<Machine> load(store::Store &store)
{
    std::vector<Machine> machines;
    for (pg::TableScan row(store.table(kMachines).table); row.next();)
        machines.push_back(read(store, row));
    return machines;
}

const Known &known(store::Store &store)
{
    if (!store.governed)
        store.governed = std::make_shared<const Known>(load(store));
    return *static_cast<const Known *>(store.governed.get());
}

const Machine &require(store::Store &store, std::string_view name)
{
    if (const Machine *machine = known(store).find(name))
        return *machine;
    refuse_unknown(store, name);
}

void require_command(const Machine &machine, std::string_view command)
{
    if (!machine.has_command(command))
        throw Failure(sqlstate::kUndefinedObject,
                      "machine " + quoted(machine.name()) + " has no command " + quoted(command),
                      "Its commands are " + machine.commands() + ".");
}

void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  "machine " + quoted(name) + " does not exist in store " + quoted(store.name), {},
                  "Create it with arbiter.create_machine.");
}

} // namespace arbiter::machine
