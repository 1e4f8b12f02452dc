// pg::entry: the only door from the server into C++. README.md has the rules.
#pragma once

#include "pg/postgres.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

// Hands a caught C++ exception to the server. Call it outside every catch block.
[[noreturn]] void raise(std::exception_ptr pending);

template <auto Function, typename... Arguments>
auto entry(Arguments... arguments)
{
    std::exception_ptr pending;
    try {
        return Function(arguments...);
    } catch (...) {
        // Kept, not handled: what follows allocates and leaves by longjmp, which inside a handler
        // would leave std::current_exception() stale for the rest of the session.
        pending = std::current_exception();
    }
    raise(std::move(pending));
}

} // namespace arbiter::pg

// Defines an SQL-callable C function whose body is C++:  ARBITER_FUNCTION(arbiter_version) { ... }
#define ARBITER_FUNCTION(name)                                                                     \
    static Datum name##_body(FunctionCallInfo fcinfo);                                             \
    extern "C" {                                                                                   \
    PGDLLEXPORT Datum name(PG_FUNCTION_ARGS);                                                      \
    PG_FUNCTION_INFO_V1(name);                                                                     \
    Datum name(PG_FUNCTION_ARGS)                                                                   \
    {                                                                                              \
        return arbiter::pg::entry<name##_body>(fcinfo);                                            \
    }                                                                                              \
    }                                                                                              \
    static Datum name##_body([[maybe_unused]] FunctionCallInfo fcinfo)
