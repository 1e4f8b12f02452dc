// Functions that a caller names in an argument.
#pragma once

#include <memory>
#include <string_view>

#include "pg/types.hpp"

struct CachedExpression;
struct ExprContext;
struct ExprState;

namespace arbiter::pg {

// What such a function has to look like. Static and constant.
struct Signature {
    const char *argument;    // of ours, that names it
    const char *declaration; // for the hint: "evolve(…) RETURNS jsonb"
    const char *never_null;  // for the hint where it returned null
    // The second parameter: a type of schema arbiter, or jsonb if null. The first one and the
    // result are jsonb.
    const char *second;
};

// A function of two arguments, ready to be called. The name is looked up with the exact types of
// the signature, through the caller's search_path if it is not qualified, and the current role's
// privilege is asked; 42883 and 42501 otherwise. The body of a plain SQL function is planned into
// the call, as it would be in a query, and the plan is kept for the session.
class CallerFunction {
public:
    CallerFunction(std::string_view name, const Signature &signature);
    ~CallerFunction();
    CallerFunction(const CallerFunction &) = delete;
    CallerFunction &operator=(const CallerFunction &) = delete;

    // The result lives until the next call. 22004 for null.
    Datum operator()(Datum first, Datum second);
    // The same, for server code that runs inside pg::call.
    Datum call_from_server(Datum first, Datum second);
    // What is allocated there lives until the next call.
    struct MemoryContextData *memory() const noexcept;
    Oid second_type() const noexcept { return second_type_; }

private:
    const Signature &signature_;
    Oid second_type_;
    Oid function_;
    // Calls hold it, so that a nested call that finds it outdated does not free it under them.
    std::shared_ptr<CachedExpression> plan_;
    ExprState *state_;
    ExprContext *context_;
};

} // namespace arbiter::pg
