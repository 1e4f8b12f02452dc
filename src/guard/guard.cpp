#include "guard/guard.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/lock_manager.hpp"
#include "pg/own_table.hpp"
#include "pg/row_predicate.hpp"
#include "pg/spi.hpp"
#include "pg/unique_index.hpp"

namespace arbiter::guard {

namespace {

// Beyond it the server would cut the name off.
constexpr std::size_t kMaxName = 63;

void check_name(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "guard name must not be empty");
    if (name.size() > kMaxName)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "guard name of " + std::to_string(name.size()) + " bytes is too long",
                      "It may have " + std::to_string(kMaxName) + " bytes.");
}

std::string qualified(const std::string &schema, const std::string &name)
{
    return quote_identifier(schema) + "." + quote_identifier(name);
}

// Whoever else is about to create it waits here, and then finds it. Writers are not held up.
void serialize(const std::string &index)
{
    pg::acquire_lock(pg::LockSpace::definition, pg::lock_key("guard " + index), true);
}

[[noreturn]] void refuse(const std::string &name, std::string detail)
{
    throw Failure(sqlstate::kDuplicateObject,
                  "guard \"" + name + "\" exists with another definition", std::move(detail),
                  "Drop it first, or give the new one another name.");
}

Definition definition_of(const std::string &name, const pg::OwnTable &table,
                         const pg::IndexFacts &index)
{
    if (!index.flaw.empty())
        throw Failure(sqlstate::kDuplicateObject, "\"" + name + "\" exists and is not a guard",
                      index.flaw, "Give the guard another name.");
    if (index.table != table.table)
        refuse(name, "It is on another table than \"" + table.name + "\".");
    Definition existing{.columns = index.columns, .predicate = index.predicate, .wording = {}};
    if (existing.predicate)
        existing.predicate = pg::canonical_predicate(table.table, *existing.predicate);
    if (index.comment && !(existing.wording = from_comment(*index.comment)))
        throw Failure(sqlstate::kDuplicateObject, "index \"" + name + "\" has a comment of its own",
                      "The message of a guard stands in the comment of its index.",
                      "COMMENT ON INDEX … IS NULL, then call again.");
    return existing;
}

Made compare(const std::string &name, const pg::OwnTable &table, const pg::IndexFacts &index,
             const Definition &given)
{
    Definition const existing = definition_of(name, table, index);
    if (std::string detail = difference(existing, given); !detail.empty())
        refuse(name, std::move(detail));
    if (!index.valid)
        throw Failure(
            sqlstate::kNotInPrerequisiteState, "index \"" + name + "\" is not valid",
            "It was made CONCURRENTLY, and that failed or is still going on.",
            "If it failed: DROP INDEX CONCURRENTLY, remove the duplicates, make it anew.");
    return existing.wording ? Made::existed : Made::adopted;
}

std::string create_statement(const std::string &name, const pg::OwnTable &table,
                             const Definition &given)
{
    std::string columns;
    for (const std::string &column : given.columns)
        columns.append(columns.empty() ? "" : ", ").append(quote_identifier(column));
    std::string sql = "CREATE UNIQUE INDEX " + quote_identifier(name) + " ON " +
                      qualified(table.schema_name, table.name) + " (" + columns + ")";
    if (given.predicate)
        sql += " WHERE " + *given.predicate;
    return sql;
}

} // namespace

Made create(const std::string &name, std::string_view relation, Definition given)
{
    check_name(name);
    check(given);
    pg::OwnTable const table = pg::find_own_table(std::string(relation));
    for (const std::string &column : given.columns)
        pg::require_user_column(table, column);
    if (given.predicate)
        given.predicate = pg::canonical_predicate(table.table, *given.predicate);
    std::string const index = qualified(table.schema_name, name);
    serialize(index);

    auto const existing = pg::describe_index(table.schema, name.c_str());
    Made const made = existing ? compare(name, table, *existing, given) : Made::created;
    if (made == Made::existed)
        return made;
    pg::Spi spi;
    if (made == Made::created)
        spi.run(create_statement(name, table, given), pg::Sees::fresh);
    spi.run("COMMENT ON INDEX " + index + " IS " + quote_literal(to_comment(*given.wording)),
            pg::Sees::fresh);
    // A comment alone is nothing that other sessions hear of.
    pg::announce_change(table.table);
    return made;
}

void drop(const std::string &name, std::string_view relation)
{
    check_name(name);
    pg::OwnTable const table = pg::find_own_table(std::string(relation));
    std::string const index = qualified(table.schema_name, name);
    serialize(index);
    auto const existing = pg::describe_index(table.schema, name.c_str());
    if (!existing || existing->table != table.table || !existing->comment ||
        !from_comment(*existing->comment))
        throw Failure(sqlstate::kUndefinedObject,
                      "guard \"" + name + "\" of table \"" + table.name + "\" does not exist", {},
                      "The view arbiter.guards lists them.");
    pg::Spi().run("DROP INDEX " + index, pg::Sees::fresh);
}

} // namespace arbiter::guard
