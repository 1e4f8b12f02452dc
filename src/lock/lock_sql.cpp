#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/key_names.hpp"
#include "pg/lock_manager.hpp"
#include "pg/transaction.hpp"

#include "lock/entity_lock.hpp"

using namespace arbiter;

namespace {

void require_lockable(FunctionCallInfo fcinfo, const char *call)
{
    pg::require_primary(call);
    pg::require_transaction_block(fcinfo, call);
}

} // namespace

ARBITER_FUNCTION(arbiter_lock_entity_text)
{
    pg::Arguments arguments(fcinfo);
    auto const entity = arguments.text(0, "entity");
    auto const timeout = arguments.duration(1, "timeout");
    require_lockable(fcinfo, "arbiter.lock_entity()");
    lock::tell_if_blind(lock::lock(entity, timeout));
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_lock_entity_uuid)
{
    pg::Arguments arguments(fcinfo);
    auto const entity = to_string(arguments.uuid(0, "entity"));
    auto const timeout = arguments.duration(1, "timeout");
    require_lockable(fcinfo, "arbiter.lock_entity()");
    lock::tell_if_blind(lock::lock(entity, timeout));
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_lock_entities)
{
    pg::Arguments arguments(fcinfo);
    auto const entities = arguments.texts(0, "entities");
    auto const timeout = arguments.duration(1, "timeout");
    require_lockable(fcinfo, "arbiter.lock_entities()");
    lock::tell_if_blind(lock::lock_all(entities, timeout));
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_try_lock_entity_text)
{
    auto const entity = pg::Arguments(fcinfo).text(0, "entity");
    require_lockable(fcinfo, "arbiter.try_lock_entity()");
    PG_RETURN_BOOL(lock::try_lock(entity));
}

ARBITER_FUNCTION(arbiter_try_lock_entity_uuid)
{
    auto const entity = to_string(pg::Arguments(fcinfo).uuid(0, "entity"));
    require_lockable(fcinfo, "arbiter.try_lock_entity()");
    PG_RETURN_BOOL(lock::try_lock(entity));
}

ARBITER_FUNCTION(arbiter_entity_key)
{
    auto const entity = pg::Arguments(fcinfo).text(0, "entity");
    PG_RETURN_INT64(static_cast<int64>(pg::lock_key(entity)));
}

ARBITER_FUNCTION(arbiter_entity_name)
{
    auto const key = pg::Arguments(fcinfo).bigint(0, "key");
    auto const name = pg::name_of(static_cast<std::uint64_t>(key));
    return name ? pg::text_datum(*name) : pg::return_null(fcinfo);
}
