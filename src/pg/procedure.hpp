// A CALL that commits as it goes.
#pragma once

#include "pg/types.hpp"
#include "pg/unwinding.hpp"

namespace arbiter::pg {

// Lives as long as the procedure works. What is kept over a commit must not live in the
// transaction: no open Spi, no store, no views of rows.
class Procedure {
public:
    explicit Procedure(FunctionCallInfoBaseData *fcinfo);
    ~Procedure();
    Procedure(const Procedure &) = delete;
    Procedure &operator=(const Procedure &) = delete;
    // Commits and begins anew, with the same settings. Inside a transaction block it does nothing:
    // there the client commits.
    void commit();
    // False inside a transaction block.
    bool may_commit() const noexcept { return may_commit_; }
    // Commits, so that no snapshot is held while the body sleeps.
    template <typename Body>
    void without_snapshot(Body &&body)
    {
        release_snapshot();
        body();
        take_snapshot();
    }

private:
    void release_snapshot();
    void take_snapshot();

    bool const may_commit_;
    Unwinding unwinding_;
};

} // namespace arbiter::pg
