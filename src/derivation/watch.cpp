#include "derivation/watch.hpp"

#include "base/failure.hpp"
#include "derivation/function.hpp"
#include "derivation/registry.hpp"
#include "pg/catalog.hpp"
#include "pg/function_change.hpp"
#include "pg/spi.hpp"
#include "store/store.hpp"

namespace arbiter::derivation {

namespace {

constexpr store::Query kMayRead{
    "SELECT pg_catalog.has_schema_privilege($1::pg_catalog.oid, 'USAGE') "
    "AND pg_catalog.has_table_privilege($2::pg_catalog.oid, 'SELECT')",
    pg::Type::bigint, pg::Type::bigint};

// Who may not read the registry is not told what is in it; verify finds what he does.
bool may_read_registry(store::Store &store)
{
    Oid const table = pg::find_relation(store.schema, "derivations");
    if (pg::has_row_security(table))
        return false;
    pg::Spi spi;
    return spi
        .run(store.statement(kMayRead),
             {static_cast<std::int64_t>(store.schema), static_cast<std::int64_t>(table)},
             pg::Sees::caller)
        .boolean(0, 0);
}

void judge(store::Store &store, const Record &record, Oid function)
{
    auto const problems =
        problems_of_function(store, record, identity::parse_spec(record.seal.spec), function);
    if (problems.empty())
        return;
    std::string detail = "With this command " + problems.front().what;
    for (std::size_t i = 1; i < problems.size(); ++i)
        detail += ", and " + problems[i].what;
    throw Failure(sqlstate::kDerivationDrift,
                  "derivation \"" + record.name + "\" of store \"" + store.name + "\" is frozen",
                  detail + ".",
                  "A change is a new derivation with a new name and a new namespace; "
                  "arbiter.drop_derivation drops the function of this one.");
}

void examine(const pg::ChangedFunction &changed)
{
    // The first question leaves out nearly all functions, and asks for nothing but a cached name.
    if (pg::find_relation(changed.schema, "derivations") == pg::kNoOid)
        return;
    store::StorePtr const store = store::find(changed.schema);
    if (!store || !has_registry(*store) || !may_read_registry(*store))
        return;
    auto const record = known(*store, changed.name);
    // A restore may bring the function before the row. A row that was edited judges nobody.
    if (record && !record->dropped && digest_of(*record) == record->digest)
        judge(*store, *record, changed.function);
}

} // namespace

void watch_functions()
{
    pg::on_function_change(examine);
}

} // namespace arbiter::derivation
