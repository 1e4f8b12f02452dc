#include "pg/entry.hpp"

#include "base/failure.hpp"

namespace arbiter::pg {

namespace {

// Points into the exception object, which lives as long as the exception_ptr that raise() holds.
struct Caught {
    const Error *server = nullptr;
    const Failure *ours = nullptr;
    const char *message = "unrecognized C++ exception";
    Sqlstate sqlstate = sqlstate::kInternalError;
};

Caught examine(const std::exception_ptr &pending) noexcept
{
    Caught caught;
    try {
        std::rethrow_exception(pending);
    } catch (const Error &error) {
        caught.server = &error;
    } catch (const Failure &failure) {
        caught.ours = &failure;
        caught.message = failure.what();
        caught.sqlstate = failure.sqlstate();
    } catch (const std::bad_alloc &) {
        caught.message = "out of memory";
        caught.sqlstate = sqlstate::kOutOfMemory;
    } catch (const std::exception &other) {
        caught.message = other.what();
    } catch (...) {
    }
    return caught;
}

char *copy(const char *text)
{
    return text ? pstrdup(text) : nullptr;
}

// The names and keys in it may be as long as a value can be, and it goes to the client and into the
// log. A list of 10,000 streams that somebody else was faster at still fits.
char *copy_of_reasonable_length(const char *text)
{
    constexpr int kLongest = 1 << 20;
    std::size_t const length = strlen(text);
    if (length <= kLongest)
        return pstrdup(text);
    int const kept = pg_mbcliplen(text, kLongest + MAX_MULTIBYTE_CHAR_LEN, kLongest);
    return psprintf("%.*s...", kept, text);
}

// A deep copy in the caller's memory context, so that the exception can die before the longjmp.
ErrorData *copy(const ErrorData &from)
{
    auto *to = static_cast<ErrorData *>(palloc(sizeof(ErrorData)));
    *to = from;
    for (char *ErrorData::*text :
         {&ErrorData::message, &ErrorData::detail, &ErrorData::detail_log, &ErrorData::hint,
          &ErrorData::context, &ErrorData::backtrace, &ErrorData::schema_name,
          &ErrorData::table_name, &ErrorData::column_name, &ErrorData::datatype_name,
          &ErrorData::constraint_name, &ErrorData::internalquery})
        to->*text = copy(from.*text);
    // Literals where the error was raised; CopyErrorData copies them too.
    for (const char *ErrorData::*name :
         {&ErrorData::filename, &ErrorData::funcname, &ErrorData::domain,
          &ErrorData::context_domain, &ErrorData::message_id})
        to->*name = copy(from.*name);
    return to;
}

} // namespace

void raise(std::exception_ptr pending)
{
    Caught const caught = examine(pending);
    if (caught.server) {
        ErrorData *const data = copy(caught.server->data());
        pending = nullptr;
        ReThrowError(data);
    }
    const char *const message = copy_of_reasonable_length(caught.message);
    const char *const detail = caught.ours && !caught.ours->detail().empty()
                                   ? copy_of_reasonable_length(caught.ours->detail().c_str())
                                   : nullptr;
    const char *const hint = caught.ours && !caught.ours->hint().empty()
                                 ? copy_of_reasonable_length(caught.ours->hint().c_str())
                                 : nullptr;
    pending = nullptr;
    ereport(ERROR, (errcode(caught.sqlstate.packed()), errmsg_internal("%s", message),
                    detail ? errdetail_internal("%s", detail) : 0, hint ? errhint("%s", hint) : 0));
    pg_unreachable();
}

} // namespace arbiter::pg
