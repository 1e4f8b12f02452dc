// Functions that raise in every place where an error can meet the C++ of this extension;
// sql/boundary.sql calls them. A library of its own, linked from the boundary's own objects: it is
// never shipped.
#include "pg/entry.hpp"

#include <sys/resource.h>

#include <memory>
#include <stdexcept>

#include "base/failure.hpp"
#include "pg/arguments.hpp"
#include "pg/passage.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pg/transaction.hpp"

using namespace arbiter;

extern "C" {
#if PG_VERSION_NUM >= 180000
PG_MODULE_MAGIC_EXT(.name = "arbiter_test", .version = ARBITER_VERSION);
#else
PG_MODULE_MAGIC;
#endif
PGDLLEXPORT void _PG_init(void);
}

void _PG_init(void)
{
    pg::entry<pg::initialize_guard>();
}

namespace {

constinit long alive = 0;

// Something that leaks if its destructor is skipped.
struct Probe {
    Probe() { ++alive; }
    ~Probe() { --alive; }
    std::vector<int> ballast = std::vector<int>(1000, 1);
};

// Where errors come from. Each has a name in SQL.

void raise_with_every_field()
{
    pg::call([] {
        ereport(ERROR,
                (errcode(ERRCODE_UNIQUE_VIOLATION), errmsg("the message"), errdetail("The detail."),
                 errhint("The hint."), err_generic_string(PG_DIAG_SCHEMA_NAME, "the schema"),
                 err_generic_string(PG_DIAG_TABLE_NAME, "the table"),
                 err_generic_string(PG_DIAG_COLUMN_NAME, "the column"),
                 err_generic_string(PG_DIAG_DATATYPE_NAME, "the type"),
                 err_generic_string(PG_DIAG_CONSTRAINT_NAME, "the constraint")));
    });
}

void raise_in_nested_calls()
{
    pg::call(
        [] { pg::call([] { pg::call([] { ereport(ERROR, errmsg("three calls deep")); }); }); });
}

void raise_below(int frames)
{
    Probe probe;
    if (frames > 0)
        return raise_below(frames - 1);
    pg::call([] { ereport(ERROR, errmsg("below many frames")); });
}

void raise_after_catching()
{
    for (int i = 0; i < 3; ++i) {
        try {
            raise_below(3);
        } catch (const pg::Error &) {
            Probe probe;
        }
    }
    raise_below(3);
}

void run_sql(const char *sql)
{
    pg::Spi spi;
    Probe probe;
    spi.run(sql, pg::Sees::fresh);
}

void run_statement_twice(const char *sql)
{
    pg::Statement statement(sql, {});
    for (int i = 0; i < 2; ++i) {
        pg::Spi spi;
        spi.run(statement, {}, pg::Sees::fresh);
    }
}

void raise_in_cursor()
{
    pg::Spi spi;
    pg::call([] {
        SPIPlanPtr const plan = SPI_prepare(
            "SELECT 10 / (5 - n) FROM pg_catalog.generate_series(1, 9) AS n", 0, nullptr);
        Portal const portal = SPI_cursor_open(nullptr, plan, nullptr, nullptr, true);
        for (;;)
            SPI_cursor_fetch(portal, true, 2);
    });
}

// The real thing: more than any machine has. Through a volatile, so that no compiler sees it
// coming. The address sanitizer would end the process instead of throwing.
void exhaust_operator_new()
{
#ifdef __SANITIZE_ADDRESS__
    throw std::bad_alloc();
#else
    std::size_t volatile size = std::size_t{1} << 60;
    std::vector<char> const never(size);
#endif
}

void exhaust_server_memory()
{
    pg::call([] {
        MemoryContextAllocExtended(CurrentMemoryContext, std::size_t{1} << 60, MCXT_ALLOC_HUGE);
    });
}

// The error is there, but not the memory to copy it. The address sanitizer needs some to live on,
// so with it this throws what would be thrown.
#ifdef __SANITIZE_ADDRESS__
void exhaust_memory_of_the_copy()
{
    auto const thrown = std::make_shared<ErrorData>();
    thrown->elevel = ERROR;
    thrown->sqlerrcode = ERRCODE_OUT_OF_MEMORY;
    static char message[] = "out of memory";
    thrown->message = message;
    thrown->output_to_server = thrown->output_to_client = true;
    throw pg::Error(thrown);
}
#else
constinit rlimit ordinary_limit{};

int stop_growing()
{
    getrlimit(RLIMIT_AS, &ordinary_limit);
    rlimit none = ordinary_limit;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    return 0;
}

void exhaust_memory_of_the_copy()
{
    struct Restore {
        ~Restore() { setrlimit(RLIMIT_AS, &ordinary_limit); }
    } restore;
    pg::call([] {
        char *const long_text = static_cast<char *>(palloc(64 * 1024 * 1024));
        memset(long_text, 'x', 64 * 1024 * 1024 - 1);
        long_text[64 * 1024 * 1024 - 1] = '\0';
        ereport(ERROR, (errmsg_internal("%s", long_text), stop_growing()));
    });
}
#endif

void loop_for_ever()
{
    for (;;)
        pg::call([] { CHECK_FOR_INTERRUPTS(); });
}

void fail_through_call()
{
    pg::call([] { throw Failure(sqlstate::kWrongExpectedRevision, "through a call"); });
}

struct Place {
    const char *name;
    void (*raise)();
};

constexpr Place kPlaces[] = {
    {"every field", raise_with_every_field},
    {"nested calls", raise_in_nested_calls},
    {"many frames", [] { raise_below(50); }},
    {"after catching", raise_after_catching},
    {"sql", [] { run_sql("SELECT 1 / 0"); }},
    {"sql syntax", [] { run_sql("SELECT 1 +"); }},
    {"sql constraint", [] { run_sql("INSERT INTO boundary.t VALUES (1), (1)"); }},
    {"saved plan", [] { run_statement_twice("INSERT INTO boundary.t VALUES (2)"); }},
    {"cursor", raise_in_cursor},
    {"server memory", exhaust_server_memory},
    {"copy of the error", exhaust_memory_of_the_copy},
    {"cancel", loop_for_ever},
    {"failure",
     [] {
         Probe probe;
         throw Failure(sqlstate::kWrongExpectedRevision, "our message", "Our detail.", "Our hint.");
     }},
    {"bare failure", [] { throw Failure(sqlstate::kStoreFormat, "100% ours"); }},
    {"failure through a call", fail_through_call},
    {"std::exception", [] { throw std::runtime_error("standard"); }},
    {"int", [] { throw 42; }},
    {"operator new", exhaust_operator_new},
    {"bare bad_alloc", [] { throw std::bad_alloc(); }},
    {"warning", [] { pg::call([] { ereport(WARNING, errmsg("no error at all")); }); }},
};

void raise_at(std::string_view name)
{
    for (const Place &place : kPlaces)
        if (name == place.name) {
            Probe probe;
            return place.raise();
        }
    throw Failure(sqlstate::kUndefinedObject, "no such place");
}

std::string text_of(const pg::Error &error)
{
    return std::string(unpack_sql_state(error.data().sqlerrcode)) + " " + error.what();
}

} // namespace

// raise(place)
ARBITER_FUNCTION(test_raise)
{
    raise_at(pg::Arguments(fcinfo).text(0, "place"));
    PG_RETURN_VOID();
}

// state(): what an error may leave behind, were the boundary wrong.
ARBITER_FUNCTION(test_state)
{
    std::string found;
    if (alive != 0)
        found += " " + std::to_string(alive) + " skipped destructors";
    if (std::current_exception())
        found += " a stale current_exception";
    if (std::uncaught_exceptions() != 0)
        found += " uncaught exceptions";
    if (InterruptHoldoffCount != 0 || QueryCancelHoldoffCount != 0 || CritSectionCount != 0)
        found += " interrupts held off";
    return pg::text_datum(found.empty() ? "clean" : found);
}

// catch_it(place): what arrives as a C++ exception, and whether the server's stacks are as before.
ARBITER_FUNCTION(test_catch)
{
    auto const place = pg::Arguments(fcinfo).text(0, "place");
    auto *const stack = PG_exception_stack;
    auto *const callbacks = error_context_stack;
    auto const memory = CurrentMemoryContext;
    std::string caught = "nothing";
    try {
        raise_at(place);
    } catch (const pg::Error &error) {
        caught = text_of(error);
    } catch (const std::exception &error) {
        caught = error.what();
    } catch (...) {
        caught = "something";
    }
    if (stack != PG_exception_stack || callbacks != error_context_stack)
        caught += ", and a stack that is not restored";
    if (memory != CurrentMemoryContext)
        caught += ", and another memory context";
    return pg::text_datum(caught);
}

// attempt_it(place, on): writes a row and raises in a subtransaction; throws a server error on or
// swallows it.
ARBITER_FUNCTION(test_attempt)
{
    pg::Arguments arguments(fcinfo);
    auto const place = arguments.text(0, "place");
    bool const on = arguments.boolean(1, "on");
    auto const memory = CurrentMemoryContext;
    auto const owner = CurrentResourceOwner;
    std::optional<pg::Error> const error = pg::attempt([&] {
        run_sql("INSERT INTO boundary.written VALUES (1)");
        raise_at(place);
    });
    if (error && on)
        throw *error;
    run_sql("SELECT 1");
    std::string said = error ? text_of(*error) : "nothing";
    if (memory != CurrentMemoryContext || owner != CurrentResourceOwner)
        said += ", and not where it was";
    return pg::text_datum(said);
}

// nest(depth): subtransactions in one another, the innermost fails, each outer one goes on.
static int attempt_nested(int depth)
{
    if (depth == 0)
        raise_below(2);
    int swallowed = 0;
    std::optional<pg::Error> const error =
        pg::attempt([&] { swallowed = attempt_nested(depth - 1); });
    return swallowed + (error ? 1 : 0);
}

ARBITER_FUNCTION(test_nest)
{
    PG_RETURN_INT64(attempt_nested(static_cast<int>(pg::Arguments(fcinfo).bigint(0, "depth"))));
}

// repeat(place, times): raised and caught as often as that; the times it was caught.
ARBITER_FUNCTION(test_repeat)
{
    pg::Arguments arguments(fcinfo);
    auto const place = arguments.text(0, "place");
    std::int64_t const times = arguments.bigint(1, "times");
    std::int64_t caught = 0;
    for (std::int64_t i = 0; i < times; ++i) {
        try {
            raise_at(place);
        } catch (const std::exception &) {
            ++caught;
        }
    }
    PG_RETURN_INT64(caught);
}

// gate(): a trigger that lets through what has a passage, and says so.
ARBITER_FUNCTION(test_gate)
{
    auto const &trigger = *reinterpret_cast<TriggerData *>(fcinfo->context);
    auto const command = TRIGGER_FIRED_BY_UPDATE(trigger.tg_event)   ? pg::Command::update
                         : TRIGGER_FIRED_BY_DELETE(trigger.tg_event) ? pg::Command::remove
                                                                     : pg::Command::insert;
    bool const passes = pg::take_passage(RelationGetRelid(trigger.tg_relation), command);
    pg::notice(passes ? "passes" : "is stopped");
    return TRIGGER_FIRED_FOR_ROW(trigger.tg_event) ? PointerGetDatum(trigger.tg_trigtuple)
                                                   : PointerGetDatum(nullptr);
}

// pass(statement, lost): runs it with a passage to delete from boundary.t, which is left open if
// its destructor is lost.
ARBITER_FUNCTION(test_pass)
{
    pg::Arguments arguments(fcinfo);
    std::string const statement(arguments.text(0, "statement"));
    bool const lost = arguments.boolean(1, "lost");
    Oid const table =
        pg::call([] { return get_relname_relid("t", get_namespace_oid("boundary", false)); });
    alignas(pg::Passage) std::byte place[sizeof(pg::Passage)];
    auto *const passage = new (place) pg::Passage(table, pg::Command::remove);
    try {
        run_sql(statement.c_str());
    } catch (...) {
        if (!lost)
            passage->~Passage();
        throw;
    }
    if (!lost)
        passage->~Passage();
    PG_RETURN_VOID();
}
