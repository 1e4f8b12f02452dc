#include "pg/postgres.hpp"

#include "pg/shared_memory.hpp"

namespace arbiter::pg {

namespace {

constinit SharedArea *areas = nullptr;
constinit shmem_request_hook_type next_request = nullptr;
constinit shmem_startup_hook_type next_startup = nullptr;

void request()
{
    if (next_request)
        next_request();
    for (const SharedArea *area = areas; area; area = area->next)
        RequestAddinShmemSpace(area->size);
}

void start()
{
    if (next_startup)
        next_startup();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    for (SharedArea *area = areas; area; area = area->next) {
        bool found = false;
        void *const memory = ShmemInitStruct(area->name, area->size, &found);
        if (!found)
            area->prepare(memory);
        area->memory = memory;
    }
    LWLockRelease(AddinShmemInitLock);
}

} // namespace

void request_area(SharedArea &area)
{
    if (!process_shared_preload_libraries_in_progress)
        return;
    if (!areas) {
        next_request = shmem_request_hook;
        shmem_request_hook = request;
        next_startup = shmem_startup_hook;
        shmem_startup_hook = start;
    }
    area.next = areas;
    areas = &area;
}

} // namespace arbiter::pg
