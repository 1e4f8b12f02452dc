#include "store/as_owner.hpp"

#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "store/format.hpp"

namespace arbiter::store {

namespace {

[[noreturn]] void refuse(const Store &store, const char *relation, Oid its_owner, Oid owner)
{
    std::string const of_owner = "role \"" + pg::role_name(owner) + "\"";
    throw Failure(sqlstate::kInsufficientPrivilege,
                  std::string("\"") + relation + "\" of store \"" + store.name +
                      "\" belongs to role \"" + pg::role_name(its_owner) + "\"",
                  "The store belongs to " + of_owner +
                      ", whose rights that role does not have and could borrow.",
                  "If it is what it should be: ALTER TABLE " + quote_identifier(store.name) + "." +
                      relation + " OWNER TO " + quote_identifier(pg::role_name(owner)) + ".");
}

// Whoever owns the schema may drop a table in it, and put one of his own there.
void require_one_owner(const Store &store, Oid owner)
{
    for (const char *name : relations()) {
        Oid const relation = pg::find_relation(store.schema, name);
        if (relation == pg::kNoOid)
            continue;
        Oid const its_owner = pg::owner_of_table(relation);
        if (!pg::has_rights_of(its_owner, owner))
            refuse(store, name, its_owner, owner);
    }
}

} // namespace

Oid owner_of(const Store &store)
{
    return pg::owner_of_table(store.events);
}

AsOwner::AsOwner(const Store &store)
{
    Oid const owner = owner_of(store);
    if (!pg::has_rights_of(pg::current_role(), owner))
        return;
    require_one_owner(store, owner);
    acting_.emplace(owner);
}

} // namespace arbiter::store
