#include "pool/definition.hpp"

#include <algorithm>
#include <array>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/column.hpp"
#include "pg/own_table.hpp"
#include "pg/readable.hpp"
#include "pg/row_predicate.hpp"
#include "pg/settings.hpp"
#include "pg/spi.hpp"
#include "pool/order.hpp"

namespace arbiter::pool {

namespace {

[[noreturn]] void refuse(const std::string &column, const char *what, std::string hint)
{
    throw Failure(sqlstate::kInvalidParameterValue, "column \"" + column + "\" " + what, {},
                  std::move(hint));
}

void check_key(const Definition &given)
{
    auto const facts = pg::describe_column(given.relation, given.key);
    if (!facts.not_null || facts.equals.empty() || !pg::is_unique_column(given.relation, given.key))
        refuse(given.key, "is not a key",
               "Declare it PRIMARY KEY, or NOT NULL and UNIQUE by itself.");
}

void check_written(Oid relation, const std::string &column)
{
    if (pg::describe_column(relation, column).computed)
        refuse(column, "is generated", "Pools write their owner, since and token themselves.");
}

void check_type(Oid relation, const std::string &column, pg::Type type, const char *what)
{
    if (pg::describe_column(relation, column).type != pg::type_oid(type))
        refuse(column, what, {});
}

void check_columns(const Definition &given)
{
    std::array const columns{&given.key, &given.owner, &given.since, &given.token};
    for (auto column = columns.begin(); column != columns.end(); ++column)
        if (std::any_of(columns.begin(), column, [=](auto other) { return *other == **column; }))
            refuse(**column, "is named twice", "Key, owner, since and token are four columns.");
    check_key(given);
    for (const std::string *column : {&given.owner, &given.since, &given.token})
        check_written(given.relation, *column);
    if (pg::describe_column(given.relation, given.owner).not_null)
        refuse(given.owner, "must allow null", "A row that nobody owns has no owner.");
    check_type(given.relation, given.since, pg::Type::timestamptz,
               "is not a timestamp with time zone");
    check_type(given.relation, given.token, pg::Type::bigint, "is not a bigint");
}

// With the key behind it, so that there is one order and not one of many.
std::vector<SortColumn> total_order(const std::optional<std::string> &text, const std::string &key)
{
    auto order = text ? read_order(*text) : std::vector<SortColumn>{};
    if (std::none_of(order.begin(), order.end(),
                     [&](const SortColumn &column) { return column.name == key; }))
        order.push_back({.name = key});
    return order;
}

std::string unowned(const Definition &definition)
{
    return "(" + quote_identifier(definition.owner) + " IS NULL)";
}

std::string shown_table(Oid table)
{
    auto const name = pg::table_name(table);
    return name ? name->quoted() : "a table that is gone";
}

std::string shown(const std::optional<std::string> &text)
{
    return text ? quote_literal(*text) : "null";
}

} // namespace

std::string Definition::free_rows() const
{
    return predicate ? unowned(*this) + " AND (" + *predicate + ")" : unowned(*this);
}

pg::IndexWanted Definition::index_wanted() const
{
    return {.table = relation,
            .order = read_order(order_by),
            .condition = free_rows(),
            .kept_out = unowned(*this)};
}

Definition define(const std::string &relation, Definition given,
                  const std::optional<std::string> &order_by)
{
    pg::OwnTable const table = pg::find_own_table(relation);
    given.relation = table.table;
    for (const std::string *column : {&given.key, &given.owner, &given.since, &given.token})
        pg::require_user_column(table, *column);
    check_columns(given);
    auto const order = total_order(order_by, given.key);
    for (const SortColumn &column : order)
        pg::require_sortable_column(table, column.name);
    given.order_by = to_sql(order);
    if (given.predicate)
        given.predicate = pg::portable_predicate(given.relation, *given.predicate);
    return given;
}

bool has_index(const Definition &definition)
{
    pg::PortableNames const portable;
    return pg::find_index(definition.index_wanted()) != 0;
}

std::string create_index(const Definition &definition)
{
    pg::PortableNames const portable;
    bool const whole =
        !definition.predicate || pg::is_immutable(definition.relation, *definition.predicate);
    return pg::readable("CREATE INDEX ON " + shown_table(definition.relation) + " (" +
                        definition.order_by + ") WHERE " +
                        (whole ? definition.free_rows() : unowned(definition)));
}

std::string difference(const Definition &existing, const Definition &given)
{
    auto const sentence = [](const char *what, const std::string &before, const std::string &now) {
        return "It was created with " + std::string(what) + " " + before + ", now it is " + now +
               ".";
    };
    if (existing.relation != given.relation)
        return sentence("relation", shown_table(existing.relation), shown_table(given.relation));
    struct Part {
        const char *name;
        const std::string Definition::*text;
    };
    for (Part const part :
         {Part{"key", &Definition::key}, Part{"owner_column", &Definition::owner},
          Part{"since_column", &Definition::since}, Part{"token_column", &Definition::token},
          Part{"order_by", &Definition::order_by}})
        if (existing.*part.text != given.*part.text)
            return sentence(part.name, quote_literal(existing.*part.text),
                            quote_literal(given.*part.text));
    if (existing.predicate != given.predicate)
        return sentence("predicate", shown(existing.predicate), shown(given.predicate));
    return {};
}

} // namespace arbiter::pool
