// What stands in build/faults/arbiter.so and nowhere else: the server call, or the allocation of
// C++, that fails on demand. test/faults/run walks the fault through every call of every function.
#include "pg/entry.hpp"

extern "C" {
#include <utils/timeout.h>
}

#include <cstdlib>
#include <new>

#include "base/failure.hpp"
#include "pg/arguments.hpp"

using namespace arbiter;

namespace {

enum class Kind { none, error, cancel, timeout, memory };

// One fault, in the place that is the n-th; what comes after it goes on as ever.
constinit Kind kind = Kind::none;
constinit int code = 0;
constinit std::int64_t n = 0;
constinit std::int64_t counted = 0;
// The statement was asked to stop, has begun to, and goes on all the same.
constinit bool is_asked_to_stop = false;
constinit bool goes_on = false;
// What C++ has allocated and not freed.
constinit std::int64_t alive = 0;

bool is_time(bool is_concerned)
{
    return is_concerned && kind != Kind::none && ++counted == n;
}

// As pg_cancel_backend leaves it: whoever looks next will see it.
void cancel()
{
    QueryCancelPending = true;
    InterruptPending = true;
}

// The timer of the statement, for good: what it sets off is told apart from a cancel by the server
// alone.
void run_out_of_time()
{
    enable_timeout_after(STATEMENT_TIMEOUT, 1);
    while (!QueryCancelPending)
        pg_usleep(100);
}

void fail(Kind how)
{
    switch (how) {
    case Kind::error:
        ereport(ERROR, (errcode(code), errmsg("a fault")));
        break;
    case Kind::cancel:
        is_asked_to_stop = true;
        return cancel();
    case Kind::timeout:
        is_asked_to_stop = true;
        return run_out_of_time();
    case Kind::memory:
    case Kind::none:
        break;
    }
}

struct Named {
    std::string_view name;
    Kind kind;
};

constexpr Named kKinds[] = {
    {"cancel", Kind::cancel}, {"timeout", Kind::timeout}, {"memory", Kind::memory}};

} // namespace

namespace arbiter::pg {

void before_server_call()
{
    goes_on |= is_asked_to_stop && !QueryCancelPending;
    if (is_time(kind != Kind::memory)) {
        Kind const how = kind;
        kind = Kind::none;
        fail(how);
    }
}

} // namespace arbiter::pg

void *operator new(std::size_t size)
{
    if (is_time(kind == Kind::memory)) {
        kind = Kind::none;
        throw std::bad_alloc();
    }
    void *const place = std::malloc(size ? size : 1);
    if (!place)
        throw std::bad_alloc();
    ++alive;
    return place;
}

void operator delete(void *place) noexcept
{
    if (place)
        --alive;
    std::free(place);
}

void operator delete(void *place, std::size_t) noexcept
{
    operator delete(place);
}

// arm(what, n): the n-th call from now on fails. `what` is an SQLSTATE, or one of kKinds.
ARBITER_FUNCTION(faults_arm)
{
    pg::Arguments arguments(fcinfo);
    std::string_view const what = arguments.text(0, "what");
    Kind asked = Kind::error;
    for (const Named &named : kKinds)
        if (named.name == what)
            asked = named.kind;
    if (asked == Kind::error) {
        if (what.size() != 5)
            throw Failure(sqlstate::kInvalidParameterValue, "no such fault");
        code = MAKE_SQLSTATE(what[0], what[1], what[2], what[3], what[4]);
    }
    n = arguments.bigint(1, "n");
    counted = 0;
    is_asked_to_stop = goes_on = false;
    kind = asked;
    PG_RETURN_VOID();
}

// disarm(): how many places there were without a fault; NULL if there was the fault.
ARBITER_FUNCTION(faults_disarm)
{
    if (kind == Kind::none)
        return pg::return_null(fcinfo);
    kind = Kind::none;
    PG_RETURN_INT64(counted);
}

// goes_on(): whether a request to stop was heard and not heeded. Where the statement has failed,
// that says nothing.
ARBITER_FUNCTION(faults_goes_on)
{
    PG_RETURN_BOOL(goes_on);
}

// alive(): how many allocations of C++ are not freed.
ARBITER_FUNCTION(faults_alive)
{
    PG_RETURN_INT64(alive);
}

// held(): what an error may leave behind in the process, were the boundary wrong; nothing, if it is
// right.
ARBITER_FUNCTION(faults_held)
{
    std::string found;
    if (std::current_exception())
        found += " a stale current_exception";
    if (std::uncaught_exceptions() != 0)
        found += " uncaught exceptions";
    if (InterruptHoldoffCount != 0 || QueryCancelHoldoffCount != 0 || CritSectionCount != 0)
        found += " interrupts held off";
    return pg::text_datum(found);
}
