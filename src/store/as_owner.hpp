// What the owner of a store could do himself, done for whoever has his rights.
#pragma once

#include <optional>

#include "pg/acting_role.hpp"
#include "store/store.hpp"

namespace arbiter::store {

// Whoever owns the log.
Oid owner_of(const Store &store);

// While one lives, the rights of the store's owner count where the caller has them: his tables may
// have triggers, rules and constraints that call functions of his, or be views by now, and a
// superuser who looks after all stores would lend them his own rights. 42501 where one of the
// store's relations belongs to a role that could borrow the owner's rights in the same way.
class AsOwner {
public:
    explicit AsOwner(const Store &store);

private:
    std::optional<pg::ActingAs> acting_;
};

} // namespace arbiter::store
