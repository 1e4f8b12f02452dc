#include "pg/postgres_worker.hpp"

#include "pg/session.hpp"

#include "base/failure.hpp"
#include "pg/compat.hpp"
#include "pg/guard.hpp"
#include "pg/worker.hpp"

namespace arbiter::pg {

namespace {

// Milliseconds that one transaction may take; 0 where none is limited.
constinit int limit = 0;
constinit volatile sig_atomic_t took_too_long = false;
constinit TimeoutId limit_timer = USER_TIMEOUT;
// Of the statement: it lives over the commits of what runs, and over an error until all is rolled
// back, so it is emptied when the next one begins.
constinit MemoryContext statement_memory = nullptr;

// In a signal handler: what follows is what SIGTERM does.
void lose_patience()
{
    took_too_long = true;
    InterruptPending = true;
    ProcDiePending = true;
    SetLatch(MyLatch);
}

void start_timer() noexcept
{
    if (limit > 0)
        enable_timeout_after(limit_timer, limit);
}

void stop_timer() noexcept
{
    limit = 0;
    disable_timeout(limit_timer, false);
}

void say_why()
{
    if (took_too_long)
        ereport(
            LOG,
            (errmsg("a transaction of the runner took longer than "
                    "\"arbiter.runner_timeout\" allows"),
             errhint("If it was at an event of a projection, that is put off as an attempt that "
                     "did not end.")));
}

void after_connecting()
{
    limit_timer = RegisterTimeout(USER_TIMEOUT, lose_patience);
    statement_memory = call([] {
        return AllocSetContextCreate(TopMemoryContext, "arbiter statement", ALLOCSET_DEFAULT_SIZES);
    });
    RegisterXactCallback(
        [](XactEvent event, void *) {
            if (event == XACT_EVENT_COMMIT)
                start_timer();
        },
        nullptr);
    at_end_of_process(say_why);
}

// As the server does with a client's simple query.
void run(const char *sql)
{
    auto *const statement = linitial_node(RawStmt, pg_parse_query(sql));
    PushActiveSnapshot(GetTransactionSnapshot());
    List *const trees = pg_analyze_and_rewrite_fixedparams(statement, sql, nullptr, 0, nullptr);
    List *const plans = pg_plan_queries(trees, sql, CURSOR_OPT_PARALLEL_OK, nullptr);
    PopActiveSnapshot();
    Portal const portal = CreatePortal("", true, true);
    portal->visible = false;
    PortalDefineQuery(portal, nullptr, sql, CreateCommandTag(statement->stmt), plans, nullptr);
    PortalStart(portal, nullptr, 0, InvalidSnapshot);
    compat::run_portal(portal, None_Receiver);
    PortalDrop(portal, false);
}

} // namespace

void connect(Oid database, Oid role)
{
    call([=] { BackgroundWorkerInitializeConnectionByOid(database, role, 0); });
    after_connecting();
}

void connect_to_no_database()
{
    call([] { BackgroundWorkerInitializeConnection(nullptr, nullptr, 0); });
}

std::vector<Database> databases()
{
    std::vector<Database> found;
    in_transaction([&] {
        Relation const table = call([] { return table_open(DatabaseRelationId, AccessShareLock); });
        TableScanDesc const scan = call([=] { return table_beginscan_catalog(table, 0, nullptr); });
        while (HeapTuple const tuple =
                   call([=] { return heap_getnext(scan, ForwardScanDirection); })) {
            auto const *const row = reinterpret_cast<Form_pg_database>(GETSTRUCT(tuple));
            found.push_back({.id = row->oid,
                             .name = NameStr(row->datname),
                             .is_template = row->datistemplate,
                             .allows_connections = row->datallowconn});
        }
        call([=] {
            table_endscan(scan);
            table_close(table, AccessShareLock);
        });
    });
    return found;
}

std::optional<std::vector<std::string>> listed(const char *names)
{
    std::string copy(names); // which the server cuts into pieces
    char *const text = copy.data();
    List *list = NIL;
    if (!call([&] { return SplitIdentifierString(text, ',', &list); }))
        return std::nullopt;
    std::vector<std::string> result;
    result.reserve(static_cast<std::size_t>(list_length(list)));
    for (int i = 0; i < list_length(list); ++i)
        result.emplace_back(static_cast<const char *>(list_nth(list, i)));
    return result;
}

// Who drops, renames or copies a database has a lock on it that a new session would have to wait
// for.
bool is_wanted_alone(Oid database)
{
    bool is_free = false;
    in_transaction([&] {
        is_free = call([=] {
            LOCKTAG tag;
            SET_LOCKTAG_OBJECT(tag, InvalidOid, DatabaseRelationId, database, 0);
            return LockAcquire(&tag, RowExclusiveLock, false, true) != LOCKACQUIRE_NOT_AVAIL;
        });
    });
    return !is_free;
}

void name_session(const std::string &application)
{
    char const *const name = application.c_str();
    call([=] { SetConfigOption("application_name", name, PGC_USERSET, PGC_S_SESSION); });
}

void tell_activity(const std::string &what)
{
    char const *const words = what.c_str();
    call([=] { pgstat_report_activity(STATE_RUNNING, words); });
}

void tell_idle()
{
    call([] {
        pgstat_report_stat(false);
        pgstat_report_activity(STATE_IDLE, nullptr);
    });
}

namespace detail {

void begin_transaction()
{
    call([] {
        SetCurrentStatementStartTimestamp();
        StartTransactionCommand();
        PushActiveSnapshot(GetTransactionSnapshot());
    });
}

void commit_transaction()
{
    call([] {
        PopActiveSnapshot();
        CommitTransactionCommand();
    });
}

} // namespace detail

void execute(const std::string &statement, Duration time)
{
    tell_activity(statement);
    limit = static_cast<int>(std::min<std::int64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(time).count(), INT_MAX));
    char const *const sql = statement.c_str();
    call([&] {
        SetCurrentStatementStartTimestamp();
        start_timer();
        StartTransactionCommand();
        MemoryContextReset(statement_memory);
        MemoryContextSwitchTo(statement_memory);
        run(sql);
        CommitTransactionCommand();
    });
    stop_timer();
}

namespace {

void abort_transaction()
{
    call([] {
        // HOLD_INTERRUPTS and RESUME_INTERRUPTS, whose ++ on a volatile C++20 has deprecated.
        InterruptHoldoffCount = InterruptHoldoffCount + 1;
        AbortCurrentTransaction();
        PortalErrorCleanup();
        InterruptHoldoffCount = InterruptHoldoffCount - 1;
    });
    MemoryContextSwitchTo(TopMemoryContext);
}

void report(const Error &error)
{
    const ErrorData &data = error.data();
    call([&] {
        ereport(LOG, (errcode(data.sqlerrcode),
                      errmsg_internal("runner: %s", data.message ? data.message : "unknown error"),
                      data.detail ? errdetail_internal("%s", data.detail) : 0,
                      data.hint ? errhint("%s", data.hint) : 0,
                      data.context ? errcontext("%s", data.context) : 0));
    });
}

void report(const std::string &error)
{
    log("runner: " + error);
}

} // namespace

bool outlive(void (*body)(void *), void *closure)
{
    std::optional<Error> server;
    std::string words;
    try {
        body(closure);
        return true;
    } catch (const Error &error) {
        server = error;
    } catch (const std::exception &error) {
        words = error.what();
    }
    stop_timer();
    abort_transaction();
    if (server)
        report(*server);
    else
        report(words);
    return false;
}

} // namespace arbiter::pg
