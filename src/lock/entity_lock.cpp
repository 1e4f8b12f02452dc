#include "lock/entity_lock.hpp"

#include "pg/lock_manager.hpp"

namespace arbiter::lock {

void lock(std::string_view entity)
{
    pg::acquire_lock(pg::LockSpace::entity, pg::lock_key(entity), true);
}

bool try_lock(std::string_view entity)
{
    return pg::acquire_lock(pg::LockSpace::entity, pg::lock_key(entity), false);
}

} // namespace arbiter::lock
