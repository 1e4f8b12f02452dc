#include "sweep/definition.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/column.hpp"
#include "pg/own_table.hpp"
#include "pg/row_predicate.hpp"
#include "pg/spi.hpp"
#include "pool/order.hpp"

namespace arbiter::sweep {

namespace {

std::string shown(const std::optional<std::string> &text)
{
    return text ? quote_literal(*text) : "null";
}

// kNoOid if there is none.
Oid find_table(const std::string &relation)
{
    pg::Spi spi;
    pg::Rows const rows =
        spi.run("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid::pg_catalog.int8",
                {pg::Type::text}, {std::string_view(relation)}, pg::Sees::fresh);
    return rows.is_null(0, 0) ? pg::kNoOid : static_cast<Oid>(rows.bigint(0, 0));
}

const char *flaw(const Definition &stored)
{
    if (stored.table == pg::kNoOid)
        return "Its table is gone.";
    if (pg::portable_predicate(stored.table, stored.predicate) != stored.predicate ||
        pool::to_sql(pool::read_order(stored.order_by)) != stored.order_by)
        return "Its predicate or order is not as arbiter.create_sweep writes it.";
    return nullptr;
}

} // namespace

Definition define(const std::string &relation, Definition given)
{
    if (given.machine.has_value() != given.command.has_value())
        throw Failure(sqlstate::kInvalidParameterValue, "machine and command belong together",
                      given.machine ? "The command is null." : "The machine is null.",
                      "Give both, or neither: then the rows are for arbiter.due_rows.");
    pg::OwnTable const table = pg::find_own_table(relation);
    pg::require_user_column(table, given.key);
    if (pg::describe_column(table.table, given.key).equals.empty())
        throw Failure(sqlstate::kInvalidParameterValue,
                      "column \"" + given.key + "\" cannot be a key",
                      "Its type has no equality, by which a row is found again.");
    auto const order = pool::read_order(given.order_by);
    for (const SortColumn &column : order)
        pg::require_sortable_column(table, column.name);
    given.table = table.table;
    given.relation = quote_identifier(table.schema_name) + "." + quote_identifier(table.name);
    given.order_by = pool::to_sql(order);
    given.predicate = pg::portable_predicate(table.table, given.predicate);
    return given;
}

void prepare(const std::string &sweep, Definition &stored)
{
    stored.table = find_table(stored.relation);
    if (const char *what = flaw(stored))
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "sweep \"" + sweep + "\" cannot be run as it stands", what,
                      "Drop the sweep, and create it anew.");
}

std::string difference(const Definition &existing, const Definition &given)
{
    auto const sentence = [](const char *what, const std::string &before, const std::string &now) {
        return "It was created with " + std::string(what) + " => " + before + ", now it is " + now +
               ".";
    };
    if (existing.relation != given.relation)
        return sentence("relation", shown(existing.relation), shown(given.relation));
    if (existing.key != given.key)
        return sentence("key", shown(existing.key), shown(given.key));
    if (existing.predicate != given.predicate)
        return sentence("predicate", shown(existing.predicate), shown(given.predicate));
    if (existing.order_by != given.order_by)
        return sentence("order_by", shown(existing.order_by), shown(given.order_by));
    if (existing.machine != given.machine)
        return sentence("machine", shown(existing.machine), shown(given.machine));
    if (existing.command != given.command)
        return sentence("command", shown(existing.command), shown(given.command));
    return {};
}

} // namespace arbiter::sweep
