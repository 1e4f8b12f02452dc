#include "pool/registry.hpp"

#include <array>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/acting_role.hpp"
#include "pg/catalog.hpp"
#include "pg/column.hpp"
#include "pg/lock_manager.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"
#include "pool/pool.hpp"
#include "pool/tables.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::pool {

namespace {

constexpr store::Query kInsert{
    "INSERT INTO {store}.pools (pool, relation, key_column, owner_column, since_column, "
    "token_column, predicate, order_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    pg::Type::text,
    pg::Type::regclass,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text};
constexpr store::Query kDeleteReassignments{
    "DELETE FROM {store}.reassignments AS r WHERE r.pool OPERATOR(pg_catalog.=) $1",
    pg::Type::text};
constexpr store::Query kDelete{
    "DELETE FROM {store}.pools AS p WHERE p.pool OPERATOR(pg_catalog.=) $1", pg::Type::text};

void require_identical(std::string_view name, const Definition &existing, const Definition &given)
{
    if (std::string detail = difference(existing, given); !detail.empty())
        throw Failure(sqlstate::kDuplicateObject,
                      "pool \"" + std::string(name) + "\" exists with another definition",
                      std::move(detail), "Drop it first, or give the new one another name.");
}

// Upgrading and dropping the store is his, and takes the pool's trigger off and puts it on again;
// without it a row of the registry would put triggers on anybody's table.
void require_owner_of_store_may(const store::Store &store, Oid table)
{
    Oid const owner = store::owner_of(store);
    Oid const of_table = pg::owner_of_table(table);
    if (pg::has_rights_of(owner, of_table))
        return;
    std::string const name = pg::role_name(owner);
    throw Failure(sqlstate::kInsufficientPrivilege,
                  "a pool of store \"" + store.name + "\" cannot have a table of role \"" +
                      pg::role_name(of_table) + "\"",
                  "The store belongs to role \"" + name +
                      "\", which does not have the rights of that role: it could not put the "
                      "pool's trigger back.",
                  "GRANT " + quote_identifier(pg::role_name(of_table)) + " TO " +
                      quote_identifier(name) +
                      ", or keep the pool in a store of the table's owner.");
}

std::string create_trigger(const store::Store &store, std::string_view name,
                           const Definition &given, const pg::TableName &table)
{
    std::string arguments;
    for (std::string_view argument : {std::string_view(store.name), name,
                                      std::string_view(given.owner), std::string_view(given.token)})
        arguments.append(arguments.empty() ? "" : ", ").append(quote_literal(argument));
    return "CREATE TRIGGER " + quote_identifier(trigger_name(name)) + " BEFORE UPDATE ON " +
           table.quoted() + " FOR EACH ROW EXECUTE FUNCTION arbiter.guard_pool(" + arguments + ")";
}

void remove_trigger(pg::Spi &spi, std::string_view name, const Definition &definition, bool force)
{
    auto const table = pg::table_name(definition.relation);
    if (!table)
        return;
    // Whoever is about to take a row waits here for us.
    spi.run("LOCK TABLE ONLY " + table->quoted() + " IN ACCESS EXCLUSIVE MODE", pg::Sees::fresh);
    pg::Statement any_owner("SELECT FROM ONLY " + table->quoted() + " WHERE " +
                                quote_identifier(definition.owner) + " IS NOT NULL LIMIT 1",
                            {});
    if (!force && !spi.run(any_owner, {}, pg::Sees::latest).empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "rows of pool \"" + std::string(name) + "\" are owned",
                      "Their owners could not be told from others any more.",
                      "Release them, or pass force => true if that is meant.");
    spi.run("DROP TRIGGER IF EXISTS " + quote_identifier(trigger_name(name)) + " ON " +
                table->quoted(),
            pg::Sees::fresh);
}

} // namespace

Made create(store::Store &store, std::string_view name, const Definition &given)
{
    check_name(name);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    if (auto const existing = find_definition(store, name)) {
        require_identical(name, *existing, given);
        return Made::existed;
    }
    require_owner_of_store_may(store, given.relation);
    auto const text = [](const std::string &value) { return pg::Value(std::string_view(value)); };
    std::array<pg::Value, 8> const values{name,
                                          pg::Value::of(given.relation),
                                          text(given.key),
                                          text(given.owner),
                                          text(given.since),
                                          text(given.token),
                                          given.predicate ? text(*given.predicate)
                                                          : pg::Value::null(),
                                          text(given.order_by)};
    pg::Spi spi;
    spi.run(store.statement(kInsert), values, pg::Sees::fresh);
    spi.run(create_trigger(store, name, given, *pg::table_name(given.relation)), pg::Sees::fresh);
    return Made::created;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    check_name(name);
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    // Calls have the registry locked as writers.
    pg::lock_table_against_writers(store.table(kPools).table);
    auto const existing = find_definition(store, name);
    if (!existing)
        refuse_unknown(store, name);
    pg::Spi spi;
    remove_trigger(spi, name, *existing, force);
    spi.run(store.statement(kDeleteReassignments), {name}, pg::Sees::fresh);
    if (spi.run(store.statement(kDelete), {name}, pg::Sees::fresh).count() == 0)
        store::refuse_unseen_definition();
}

} // namespace arbiter::pool
