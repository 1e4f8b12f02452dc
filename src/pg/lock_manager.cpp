#include "pg/postgres.hpp"

#include "pg/lock_manager.hpp"

#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

std::uint64_t lock_key(std::string_view name) noexcept
{
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(name.data()),
                               static_cast<int>(name.size()), 0);
}

namespace {

LOCKTAG tag_of(LockSpace space, std::uint64_t key) noexcept
{
    LOCKTAG tag;
    SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, static_cast<uint32>(key >> 32),
                         static_cast<uint32>(key), static_cast<uint16>(space));
    return tag;
}

} // namespace

bool acquire_lock(LockSpace space, std::uint64_t key, bool wait)
{
    return call([=] {
        LOCKTAG const tag = tag_of(space, key);
        LockAcquireResult const result = LockAcquire(&tag, ExclusiveLock, false, !wait);
        // What the last holder did to the catalog is to be seen by whoever waited for it.
        AcceptInvalidationMessages();
        return result != LOCKACQUIRE_NOT_AVAIL;
    });
}

namespace {

void read_application(LockHolder &holder)
{
    int const count = pgstat_fetch_stat_numbackends();
    for (int i = 1; i <= count; ++i) {
        LocalPgBackendStatus *const backend = compat::local_backend_status(i);
        if (backend && backend->backendStatus.st_procpid == holder.process)
            strlcpy(holder.application, backend->backendStatus.st_appname,
                    sizeof(holder.application));
    }
}

std::optional<LockHolder> holder_of(const LOCKTAG &tag)
{
    LockHolder holder{};
    bool const found = call([&] {
        LockData const *const locks = GetLockStatusData();
        for (int i = 0; i < locks->nelements; ++i) {
            LockInstanceData const &lock = locks->locks[i];
            if (lock.holdMask == 0 || lock.pid == MyProcPid ||
                memcmp(&lock.locktag, &tag, sizeof(tag)) != 0)
                continue;
            holder.process = lock.pid;
            if (lock.pid != 0)
                read_application(holder);
            return true;
        }
        return false;
    });
    return found ? std::optional(holder) : std::nullopt;
}

} // namespace

std::optional<LockHolder> lock_holder(LockSpace space, std::uint64_t key)
{
    return holder_of(tag_of(space, key));
}

std::optional<LockHolder> transaction_holder(std::uint32_t transaction)
{
    LOCKTAG tag;
    SET_LOCKTAG_TRANSACTION(tag, transaction);
    return holder_of(tag);
}

std::string describe(const LockHolder &holder)
{
    if (holder.process == 0)
        return "A prepared transaction";
    return "Process " + std::to_string(holder.process) + " (application \"" + holder.application +
           "\")";
}

bool holds_any(LockSpace space)
{
    return call([=] {
        LockData const *const locks = GetLockStatusData();
        for (int i = 0; i < locks->nelements; ++i) {
            LockInstanceData const &lock = locks->locks[i];
            if (lock.pid == MyProcPid && lock.holdMask != 0 &&
                lock.locktag.locktag_type == LOCKTAG_ADVISORY &&
                lock.locktag.locktag_field4 == static_cast<uint16>(space))
                return true;
        }
        return false;
    });
}

void lock_table_for_writing(Oid table)
{
    call([=] { LockRelationOid(table, RowExclusiveLock); });
}

void lock_table_against_writers(Oid table)
{
    call([=] { LockRelationOid(table, ShareRowExclusiveLock); });
}

} // namespace arbiter::pg
