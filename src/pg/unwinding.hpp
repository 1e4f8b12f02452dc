// Tells a destructor whether it runs on success or while an exception unwinds.
#pragma once

#include <exception>

namespace arbiter::pg {

// Destructors of src/pg/ release on success and do nothing while unwinding: there the transaction's
// abort is the real cleaner, and a second error in the middle of the first would end the process.
class Unwinding {
public:
    operator bool() const noexcept { return std::uncaught_exceptions() > at_construction_; }

private:
    int const at_construction_ = std::uncaught_exceptions();
};

} // namespace arbiter::pg
