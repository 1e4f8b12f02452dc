#include "pg/postgres.hpp"

#include "pg/own_table.hpp"

#include "base/failure.hpp"
#include "pg/column.hpp"
#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

void require_ordinary(Oid table, const std::string &name)
{
    char const kind = call([=] { return get_rel_relkind(table); });
    if (kind == RELKIND_PARTITIONED_TABLE)
        throw Failure(sqlstate::kFeatureNotSupported, "table \"" + name + "\" is partitioned", {},
                      "Name one of its partitions.");
    if (kind != RELKIND_RELATION)
        throw Failure(sqlstate::kWrongObjectType, "\"" + name + "\" is not a table");
}

} // namespace

OwnTable find_own_table(const std::string &name)
{
    OwnTable found{};
    call([&] {
        RangeVar *const named = makeRangeVarFromNameList(compat::qualified_name(name.c_str()));
        found.table = RangeVarGetRelidExtended(named, AccessShareLock, 0,
                                               RangeVarCallbackOwnsRelation, nullptr);
        found.schema = get_rel_namespace(found.table);
        found.name = get_rel_name(found.table);
        found.schema_name = get_namespace_name(found.schema);
    });
    require_ordinary(found.table, found.name);
    return found;
}

void require_user_column(const OwnTable &table, const std::string &column)
{
    if (call([&] { return get_attnum(table.table, column.c_str()); }) > 0)
        return;
    throw Failure(sqlstate::kUndefinedColumn,
                  "column \"" + column + "\" of table \"" + table.name + "\" does not exist", {},
                  "Columns are named as they are in the table, without quotes; an expression can "
                  "be a generated column.");
}

void require_sortable_column(const OwnTable &table, const std::string &column)
{
    require_user_column(table, column);
    if (!describe_column(table.table, column).is_ordered)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "column \"" + column + "\" of table \"" + table.name +
                          "\" cannot be sorted by",
                      "Its type has no order.");
}

} // namespace arbiter::pg
