#include "pg/postgres.hpp"

#include "pg/unique_violation.hpp"

#include "pg/entry.hpp"

namespace arbiter::pg {

namespace {

constinit Rewordings source{};
constinit ExecutorRun_hook_type next_run = nullptr;
constinit ExecutorFinish_hook_type next_finish = nullptr;
constinit ProcessUtility_hook_type next_utility = nullptr;

// What the running statement writes to. Trivially destructible: an error jumps over it.
struct Writing {
    ErrorContextCallback callback;
    const PlannedStmt *statement; // or
    Oid table;
};

Oid result_table(const PlannedStmt *statement, int n)
{
    int const entry = list_nth_int(statement->resultRelations, n);
    return list_nth_node(RangeTblEntry, statement->rtable, entry - 1)->relid;
}

// As the index's access method raises it. By the untranslated text, so that neither another
// language nor an error of the same code from elsewhere (a function's RAISE, a failed REINDEX) is
// mistaken.
bool is_duplicate_key(const ErrorData &error)
{
    return error.message_id && error.schema_name && error.table_name && error.constraint_name &&
           strcmp(error.message_id, "duplicate key value violates unique constraint \"%s\"") == 0;
}

bool find(const Writing &writing, const ErrorData &error, Rewording *found)
{
    auto const find_for = [&](Oid table) {
        return source.find(table, error.schema_name, error.table_name, error.constraint_name,
                           found);
    };
    if (!writing.statement)
        return find_for(writing.table);
    for (int n = 0; n < list_length(writing.statement->resultRelations); ++n)
        if (find_for(result_table(writing.statement, n)))
            return true;
    return false;
}

// Called while the error is being raised, before anybody catches it: EXCEPTION blocks see the text.
void reword(void *arg)
{
    if (geterrcode() != ERRCODE_UNIQUE_VIOLATION)
        return;
    MemoryContext const home =
        AllocSetContextCreate(TopMemoryContext, "arbiter rewording", ALLOCSET_SMALL_SIZES);
    MemoryContext const caller = MemoryContextSwitchTo(home);
    ErrorData const *const error = CopyErrorData();
    MemoryContextSwitchTo(caller);
    Rewording found{};
    if (is_duplicate_key(*error) && find(*static_cast<Writing *>(arg), *error, &found)) {
        errmsg_internal("%s", found.message);
        if (found.hint)
            errhint("%s", found.hint);
    }
    MemoryContextDelete(home);
}

bool prepare(Oid table)
{
    bool any = false;
    return source.is_prepared(table, &any)
               ? any
               : entry<[](Oid asked) { return source.prepare(asked); }>(table);
}

void push(Writing &writing)
{
    writing.callback = {.previous = error_context_stack, .callback = reword, .arg = &writing};
    error_context_stack = &writing.callback;
}

// Says if there is something to pop.
bool begin(Writing &writing, const PlannedStmt *statement)
{
    bool any = false;
    for (int n = 0; n < list_length(statement->resultRelations); ++n)
        any |= prepare(result_table(statement, n));
    if (any) {
        writing.statement = statement;
        push(writing);
    }
    return any;
}

// COPY finds and locks the table, and asks for privileges, itself.
bool begin(Writing &writing, const CopyStmt *copy)
{
    if (!copy->is_from || !copy->relation)
        return false;
    Oid const table = RangeVarGetRelid(copy->relation, NoLock, true);
    if (!OidIsValid(table) || !prepare(table))
        return false;
    writing.statement = nullptr;
    writing.table = table;
    push(writing);
    return true;
}

void end(const Writing &writing)
{
    error_context_stack = writing.callback.previous;
}

// The server's versions differ in what else they pass.
template <typename... More>
void run(QueryDesc *query, ScanDirection direction, uint64 count, More... more)
{
    Writing writing;
    bool const begun = begin(writing, query->plannedstmt);
    (next_run ? next_run : standard_ExecutorRun)(query, direction, count, more...);
    if (begun)
        end(writing);
}

// AFTER triggers, and what a WITH has not written yet.
void finish(QueryDesc *query)
{
    Writing writing;
    bool const begun = begin(writing, query->plannedstmt);
    (next_finish ? next_finish : standard_ExecutorFinish)(query);
    if (begun)
        end(writing);
}

template <typename... More>
void utility(PlannedStmt *statement, const char *text, More... more)
{
    Writing writing;
    bool const begun = IsA(statement->utilityStmt, CopyStmt) &&
                       begin(writing, castNode(CopyStmt, statement->utilityStmt));
    (next_utility ? next_utility : standard_ProcessUtility)(statement, text, more...);
    if (begun)
        end(writing);
}

} // namespace

void reword_unique_violations(const Rewordings &given)
{
    source = given;
    next_run = ExecutorRun_hook;
    ExecutorRun_hook = run;
    next_finish = ExecutorFinish_hook;
    ExecutorFinish_hook = finish;
    next_utility = ProcessUtility_hook;
    ProcessUtility_hook = utility;
}

} // namespace arbiter::pg
