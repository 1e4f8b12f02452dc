// Shared memory, where the library is preloaded. Everything works without.
#pragma once

#include <cstddef>

namespace arbiter::pg {

// Static. The server gives all backends the same memory, prepared once.
struct SharedArea {
    const char *name;
    std::size_t size;
    void (*prepare)(void *memory);
    void *memory = nullptr; // stays so where the library is not preloaded
    SharedArea *next = nullptr;
};

// Called from _PG_init: asks for the area if the server is still preloading.
void request_area(SharedArea &area);

} // namespace arbiter::pg
