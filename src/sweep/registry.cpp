#include "sweep/registry.hpp"

#include "base/failure.hpp"
#include "machine/known.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::sweep {

namespace {

// Bytes: the name goes into index entries.
constexpr std::size_t kMaxName = 256;

constexpr store::Query kSelect{
    "SELECT s.relation, s.key, s.predicate, s.order_by, s.machine, s.command "
    "FROM {store}.sweeps AS s WHERE s.sweep OPERATOR(pg_catalog.=) $1",
    pg::Type::text};
constexpr store::Query kInsert{
    "INSERT INTO {store}.sweeps (sweep, relation, key, predicate, order_by, machine, command) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sweep) DO NOTHING", // 40001 if not seen
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text};
constexpr store::Query kDeleteRests{
    "DELETE FROM {store}.sweep_rests AS r WHERE r.sweep OPERATOR(pg_catalog.=) $1", pg::Type::text};
constexpr store::Query kDelete{
    "DELETE FROM {store}.sweeps AS s WHERE s.sweep OPERATOR(pg_catalog.=) $1", pg::Type::text};

void check_name(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "sweep must not be empty");
    if (name.size() > kMaxName)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "sweep name of " + std::to_string(name.size()) + " bytes is too long",
                      "It may have " + std::to_string(kMaxName) + " bytes.");
}

std::optional<Definition> select(store::Store &store, std::string_view name)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kSelect), {name}, pg::Sees::fresh);
    if (rows.empty())
        return std::nullopt;
    auto const text = [&](int column) { return std::string(rows.text(0, column)); };
    auto const optional = [&](int column) {
        return rows.is_null(0, column) ? std::nullopt : std::optional(text(column));
    };
    return Definition{.table = 0,
                      .relation = text(0),
                      .key = text(1),
                      .predicate = text(2),
                      .order_by = text(3),
                      .machine = optional(4),
                      .command = optional(5)};
}

[[noreturn]] void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  "sweep \"" + std::string(name) + "\" does not exist in store \"" + store.name +
                      "\"",
                  {}, "Create it with arbiter.create_sweep.");
}

pg::Value value(const std::optional<std::string> &text)
{
    return text ? pg::Value(std::string_view(*text)) : pg::Value::null();
}

} // namespace

Made create(store::Store &store, std::string_view name, const Definition &given)
{
    check_name(name);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    if (auto const existing = select(store, name)) {
        if (std::string detail = difference(*existing, given); !detail.empty())
            throw Failure(sqlstate::kDuplicateObject,
                          "sweep \"" + std::string(name) + "\" exists with another definition",
                          std::move(detail), "Drop it first, or give the new one another name.");
        return Made::existed;
    }
    if (given.machine)
        machine::require_command(machine::require(store, *given.machine), *given.command);
    pg::Spi spi;
    spi.run(store.statement(kInsert),
            {name, std::string_view(given.relation), std::string_view(given.key),
             std::string_view(given.predicate), std::string_view(given.order_by),
             value(given.machine), value(given.command)},
            pg::Sees::fresh);
    return Made::created;
}

void drop(store::Store &store, std::string_view name)
{
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    pg::Spi spi;
    spi.run(store.statement(kDeleteRests), {name}, pg::Sees::fresh);
    if (spi.run(store.statement(kDelete), {name}, pg::Sees::fresh).count() == 0)
        refuse_unknown(store, name);
}

Definition find(store::Store &store, std::string_view name)
{
    check_name(name);
    auto found = select(store, name);
    if (!found)
        refuse_unknown(store, name);
    prepare(std::string(name), *found);
    return *found;
}

} // namespace arbiter::sweep
