#include "pg/postgres.hpp"

#include "pg/memory.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

Memory::Memory()
    : caller_(CurrentMemoryContext), own_(call([] {
          return AllocSetContextCreate(CurrentMemoryContext, "arbiter loop",
                                       ALLOCSET_DEFAULT_SIZES);
      }))
{
    MemoryContextSwitchTo(own_);
}

Memory::~Memory()
{
    if (unwinding_)
        return;
    MemoryContextSwitchTo(caller_);
    MemoryContextDelete(own_);
}

} // namespace arbiter::pg
