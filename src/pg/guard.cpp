#include "pg/postgres.hpp"

#include "pg/guard.hpp"

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

std::string Error::code() const
{
    return unpack_sql_state(data_->sqlerrcode);
}

std::string_view Error::constraint() const noexcept
{
    return data_->constraint_name ? std::string_view(data_->constraint_name) : std::string_view{};
}

namespace {

// Parent of the contexts that copies of errors live in, one each.
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

// With the whole context: FreeErrorData forgets some of what CopyErrorData has copied.
void release(ErrorData *data) noexcept
{
    if (data != &out_of_memory)
        MemoryContextDelete(data->assoc_context);
}

// Copies the error on top of the server's stack. A second landing pad, since the copy allocates and
// a longjmp from here to the pad of an outer call would cross live C++ frames.
ErrorData *take_current_error() noexcept
{
    ErrorData *volatile data = &out_of_memory;
    volatile MemoryContext home = nullptr;
    StackScope scope;
    sigjmp_buf landing;
    if (sigsetjmp(landing, 0) == 0) {
        PG_exception_stack = &landing;
        home = AllocSetContextCreate(error_home, "arbiter error", ALLOCSET_SMALL_SIZES);
        MemoryContextSwitchTo(home);
        data = CopyErrorData();
    }
    FlushErrorState();
    if (data == &out_of_memory && home)
        MemoryContextDelete(home);
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

// Where test/faults/ makes the server fail; in no other library is there anything to call.
#ifdef ARBITER_FAULTS
void before_server_call();
#else
static void before_server_call() {}
#endif

namespace detail {

void run_guarded(Thunk body, void *closure)
{
    MemoryContext const caller = CurrentMemoryContext;
    {
        StackScope scope;
        sigjmp_buf landing;
        if (sigsetjmp(landing, 0) == 0) {
            PG_exception_stack = &landing;
            before_server_call();
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
