// pg::call: the only way from C++ into server code that may raise. README.md has the rules.
#pragma once

#include <type_traits>

#include "pg/error.hpp"

namespace arbiter::pg {

namespace detail {
using Thunk = void (*)(void *);
// The only sigsetjmp of the code base. Throws Error when body leaves by longjmp.
void run_guarded(Thunk body, void *closure);
} // namespace detail

// Reserves what is needed to carry an error when memory is short. Called once from _PG_init.
void initialize_guard();

// Runs a block of server calls; an ereport(ERROR) in it arrives as pg::Error. Inside the block only
// trivially destructible values may live, since longjmp runs no destructor.
template <typename Body>
auto call(Body &&body) -> std::invoke_result_t<Body &>
{
    using Result = std::invoke_result_t<Body &>;
    using Callable = std::remove_reference_t<Body>;
    static_assert(std::is_void_v<Result> || std::is_trivially_copyable_v<Result>,
                  "only plain values leave pg::call");
    if constexpr (std::is_void_v<Result>) {
        detail::run_guarded([](void *closure) { (*static_cast<Callable *>(closure))(); }, &body);
    } else {
        struct Frame {
            Callable *body;
            Result result;
        } frame{&body, {}};
        detail::run_guarded(
            [](void *closure) {
                auto *f = static_cast<Frame *>(closure);
                f->result = (*f->body)();
            },
            &frame);
        return frame.result;
    }
}

} // namespace arbiter::pg
