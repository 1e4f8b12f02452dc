#include "pg/postgres.hpp"

#include "pg/acting_role.hpp"

#include "base/failure.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

std::string role_name(Oid role)
{
    return call([=] { return static_cast<const char *>(GetUserNameFromId(role, false)); });
}

Oid find_role(std::string_view name)
{
    std::string const terminated(name);
    return call([&] { return get_role_oid(terminated.c_str(), false); });
}

bool has_rights_of(Oid member, Oid role)
{
    return call([=] { return has_privs_of_role(member, role); });
}

Oid current_role() noexcept
{
    return GetUserId();
}

Oid owner_of_table(Oid table)
{
    return call([=] {
        HeapTuple const tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
        if (!HeapTupleIsValid(tuple))
            elog(ERROR, "cache lookup failed for relation %u", table);
        Oid const owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->relowner;
        ReleaseSysCache(tuple);
        return owner;
    });
}

ActingAs::ActingAs(Oid role, Rights rights)
{
    GetUserIdAndSecContext(&caller_, &context_);
    if (role == caller_)
        return;
    if (rights == Rights::of_the_caller && !has_rights_of(caller_, role))
        throw Failure(sqlstate::kInsufficientPrivilege,
                      "permission denied to act as role \"" + role_name(role) + "\"",
                      "Role \"" + role_name(caller_) + "\" does not have its rights.");
    int context = context_ | SECURITY_LOCAL_USERID_CHANGE;
    if (!has_rights_of(role, caller_)) {
        context |= SECURITY_RESTRICTED_OPERATION;
        settings_ = call([] { return NewGUCNestLevel(); });
    }
    SetUserIdAndSecContext(role, context);
}

ActingAs::~ActingAs()
{
    if (unwinding_)
        return;
    if (settings_ > 0)
        AtEOXact_GUC(false, settings_);
    SetUserIdAndSecContext(caller_, context_);
}

} // namespace arbiter::pg
