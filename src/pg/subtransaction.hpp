// One of the two places where a server error is swallowed (the other is a worker's outer loop).
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "pg/error.hpp"
#include "pg/types.hpp"

struct MemoryContextData;
struct ResourceOwnerData;

namespace arbiter::pg {

// An internal subtransaction. Ended by commit, or by rollback, which is also what a commit that
// fails is followed by; only `attempt` makes one.
class Subtransaction {
public:
    Subtransaction();
    Subtransaction(const Subtransaction &) = delete;
    Subtransaction &operator=(const Subtransaction &) = delete;
    void commit();
    void rollback();

private:
    void restore() const noexcept;
    MemoryContextData *const context_;
    ResourceOwnerData *const owner_;
    int level_ = 0;
};

// Runs body in a subtransaction. A server error rolls it back and is returned for the caller to
// judge: whoever does not know it throws it on. Any other exception rolls back and passes through.
template <typename Body>
std::optional<Error> attempt(Body &&body)
{
    Subtransaction subtransaction;
    std::optional<Error> error;
    std::exception_ptr other;
    try {
        std::forward<Body>(body)();
        subtransaction.commit();
        return std::nullopt;
    } catch (const Error &caught) {
        error = caught;
    } catch (...) {
        other = std::current_exception();
    }
    subtransaction.rollback();
    if (other)
        std::rethrow_exception(other);
    return error;
}

} // namespace arbiter::pg
