#include "lock/entity_lock.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "pg/error.hpp"
#include "pg/key_names.hpp"
#include "pg/lock_manager.hpp"
#include "pg/lock_timeout.hpp"
#include "pg/transaction.hpp"
#include "shared/counters.hpp"

namespace arbiter::lock {

namespace {

struct Entity {
    std::uint64_t key;
    std::string_view name;
};

Entity entity_of(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "entity must not be empty");
    Entity const entity{pg::lock_key(name), name};
    pg::remember_name(entity.key, name);
    return entity;
}

std::string describe_holder(std::uint64_t key)
{
    auto const holder = pg::lock_holder(pg::LockSpace::entity, key);
    if (!holder)
        return "Whoever held it has just let it go.";
    return pg::describe(*holder) + " holds it.";
}

[[noreturn]] void refuse(const Entity &entity, std::int64_t waited)
{
    throw Failure(
        sqlstate::kLockNotAvailable,
        "could not lock entity \"" + std::string(entity.name) + "\" within " +
            std::to_string(waited) + " ms",
        describe_holder(entity.key),
        "Roll back and try again later; the view arbiter.entity_locks shows who holds and "
        "who waits.");
}

// False if the time or the session's lock_timeout is up: the server says 55P03 for both.
bool wait_for(const Entity &entity)
{
    try {
        return pg::acquire_lock(pg::LockSpace::entity, entity.key, true);
    } catch (const pg::Error &error) {
        if (!error.is(sqlstate::kLockNotAvailable))
            throw;
        return false;
    }
}

Taken take(const Entity &entity, const Deadline &deadline)
{
    Taken taken = Taken::at_once;
    if (!pg::acquire_lock(pg::LockSpace::entity, entity.key, false)) {
        pg::LockTimeout const limit(deadline);
        if (deadline.passed() || !wait_for(entity))
            refuse(entity, limit.milliseconds());
        shared::count(shared::kNoStore, shared::Noun::lock, shared::Outcome::waited);
        taken = Taken::after_waiting;
    }
    shared::count(shared::kNoStore, shared::Noun::lock, shared::Outcome::done);
    return taken;
}

} // namespace

Taken lock(std::string_view entity, Duration timeout)
{
    return take(entity_of(entity), Deadline(timeout));
}

Taken lock_all(std::span<const std::string_view> names, Duration timeout)
{
    std::vector<Entity> entities;
    entities.reserve(names.size());
    for (std::string_view name : names)
        entities.push_back(entity_of(name));
    std::ranges::sort(entities, {}, &Entity::key);
    Deadline const deadline(timeout);
    Taken taken = Taken::at_once;
    for (const Entity &entity : entities)
        if (take(entity, deadline) == Taken::after_waiting)
            taken = Taken::after_waiting;
    return taken;
}

void tell_if_blind(Taken taken)
{
    if (taken == Taken::after_waiting && pg::keeps_its_snapshot())
        pg::notice("the snapshot of this transaction predates the lock it had to wait for");
}

bool try_lock(std::string_view entity)
{
    bool const taken = pg::acquire_lock(pg::LockSpace::entity, entity_of(entity).key, false);
    shared::count(shared::kNoStore, shared::Noun::lock,
                  taken ? shared::Outcome::done : shared::Outcome::conflict);
    return taken;
}

} // namespace arbiter::lock
