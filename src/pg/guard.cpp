#include "pg/postgres.hpp"

#include "pg/guard.hpp"

#include "pg/error_texts.hpp"

namespace arbiter::pg {

static_assert(sqlstate::kStoreFormat.packed() == MAKE_SQLSTATE('R', 'B', '0', '5', '0'));

const char *Error::what() const noexcept
{
    return data_->message ? data_->message : "";
}

bool Error::is(Sqlstate sqlstate) const noexcept
{
    return data_->sqlerrcode == sqlstate.packed();
}

std::string_view Error::constraint() const noexcept
{
    return data_->constraint_name ? std::string_view(data_->constraint_name) : std::string_view{};
}

namespace {

// Where copies of errors live: made at load, so that an error about memory needs none.
constinit MemoryContext error_home = nullptr;
// What is thrown when even the copy fails.
constinit ErrorData out_of_memory{};

// Also runs when a C++ exception crosses pg::call: the server's stacks are as they were.
class StackScope {
public:
    ~StackScope()
    {
        PG_exception_stack = stack_;
        error_context_stack = context_;
    }

private:
    sigjmp_buf *const stack_ = PG_exception_stack;
    ErrorContextCallback *const context_ = error_context_stack;
};

void release(ErrorData *data) noexcept
{
    if (data == &out_of_memory)
        return;
    for (char *ErrorData::*text : kErrorTexts)
        if (data->*text)
            pfree(data->*text);
    pfree(data);
}

// Copies the error on top of the server's stack. A second landing pad, since the copy allocates and
// a longjmp from here to the pad of an outer call would cross live C++ frames.
ErrorData *take_current_error() noexcept
{
    ErrorData *volatile data = &out_of_memory;
    StackScope scope;
    sigjmp_buf landing;
    if (sigsetjmp(landing, 0) == 0) {
        PG_exception_stack = &landing;
        MemoryContextSwitchTo(error_home);
        data = CopyErrorData();
    }
    FlushErrorState();
    return data;
}

} // namespace

void initialize_guard()
{
    error_home = AllocSetContextCreate(TopMemoryContext, "arbiter errors", ALLOCSET_SMALL_SIZES);
    out_of_memory.elevel = ERROR;
    out_of_memory.sqlerrcode = ERRCODE_OUT_OF_MEMORY;
    out_of_memory.message = const_cast<char *>("out of memory");
    out_of_memory.assoc_context = error_home;
    out_of_memory.output_to_server = true;
    out_of_memory.output_to_client = true;
}

namespace detail {

void run_guarded(Thunk body, void *closure)
{
    MemoryContext const caller = CurrentMemoryContext;
    {
        StackScope scope;
        sigjmp_buf landing;
        if (sigsetjmp(landing, 0) == 0) {
            PG_exception_stack = &landing;
            body(closure);
            return;
        }
    }
    ErrorData *const data = take_current_error();
    MemoryContextSwitchTo(caller);
    throw Error(std::shared_ptr<ErrorData>(data, release));
}

} // namespace detail
} // namespace arbiter::pg
