// Reading what a store's owner may have replaced.
#pragma once

#include <optional>

#include "pg/acting_role.hpp"
#include "store/store.hpp"

namespace arbiter::observe {

// While one lives, the rights of the store's owner count where the caller has them: a view or a
// table of his can call functions of his, and a superuser who looks after all stores would lend
// him his own rights.
class AsOwner {
public:
    explicit AsOwner(const store::Store &store)
    {
        Oid const owner = pg::owner_of_table(store.events);
        if (pg::has_rights_of(pg::current_role(), owner))
            acting_.emplace(owner);
    }

private:
    std::optional<pg::ActingAs> acting_;
};

} // namespace arbiter::observe
