// Memory for one turn of a long loop.
#pragma once

#include "pg/unwinding.hpp"

struct MemoryContextData;

namespace arbiter::pg {

// While it lives, what the server allocates is freed with it: so that a call over any number of
// rows needs no more memory than for some of them.
class Memory {
public:
    Memory();
    ~Memory();
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

private:
    MemoryContextData *const caller_;
    MemoryContextData *const own_;
    Unwinding unwinding_;
};

} // namespace arbiter::pg
