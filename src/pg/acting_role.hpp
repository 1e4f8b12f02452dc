// Doing something with the rights of another role.
#pragma once

#include <string>
#include <string_view>

#include "pg/types.hpp"
#include "pg/unwinding.hpp"

namespace arbiter::pg {

// 42704 where there is none.
Oid find_role(std::string_view name);
// Whatever the role may do, the member may do: it is the same, inherits from it, or is a superuser.
bool has_rights_of(Oid member, Oid role);
Oid current_role() noexcept;
std::string role_name(Oid role);
Oid owner_of_table(Oid table);

// While one lives, the role's rights count and not the caller's. 42501 unless the caller has them
// all, so that nobody gains any. Code of the role that runs meanwhile cannot get back at a caller
// who may do more: no SET ROLE, no setting that stays, nothing that is put off to a moment at which
// the caller's rights count again (deferred triggers are refused). Where role and caller trust each
// other there is nothing to refuse.
class ActingAs {
public:
    // `lent`: the caller need not have them, as nobody needs those of a view's owner to read the
    // view. For code that the role itself has put where everybody comes past.
    enum class Rights { of_the_caller, lent };
    explicit ActingAs(Oid role, Rights rights = Rights::of_the_caller);
    ~ActingAs();
    ActingAs(const ActingAs &) = delete;
    ActingAs &operator=(const ActingAs &) = delete;

private:
    Oid caller_ = 0;
    int context_ = 0;
    int settings_ = 0; // the level of settings to fall back to; 0 where they may stay
    Unwinding unwinding_;
};

} // namespace arbiter::pg
