#include "pg/postgres.hpp"

#include "pg/lock_manager.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

std::uint64_t lock_key(std::string_view name) noexcept
{
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(name.data()),
                               static_cast<int>(name.size()), 0);
}

bool acquire_lock(LockSpace space, std::uint64_t key, bool wait)
{
    return call([=] {
        LOCKTAG tag;
        SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, static_cast<uint32>(key >> 32),
                             static_cast<uint32>(key), static_cast<uint16>(space));
        LockAcquireResult const result = LockAcquire(&tag, ExclusiveLock, false, !wait);
        // What the last holder did to the catalog is to be seen by whoever waited for it.
        AcceptInvalidationMessages();
        return result != LOCKACQUIRE_NOT_AVAIL;
    });
}

} // namespace arbiter::pg
