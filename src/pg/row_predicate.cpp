#include "pg/postgres.hpp"

#include "pg/row_predicate.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// An error's position is one in the predicate, not in the statement of the caller.
void point_into_predicate(void *text)
{
    int const position = geterrposition();
    if (position <= 0)
        return;
    errposition(0);
    internalerrposition(position);
    internalerrquery(static_cast<const char *>(text));
}

// A lone asterisk, which stands for a list; nobody down the line expects it in an expression.
bool is_star(const Node *node)
{
    return IsA(node, ColumnRef) &&
           IsA(linitial(reinterpret_cast<const ColumnRef *>(node)->fields), A_Star);
}

// The grammar of PL/pgSQL's expressions: a SELECT without the word, so all its clauses could
// follow.
Node *parse(const char *text)
{
    List *const statements = raw_parser(text, RAW_PARSE_PLPGSQL_EXPR);
    auto const *const select = castNode(SelectStmt, linitial_node(RawStmt, statements)->stmt);
    bool const has_clauses = select->distinctClause || select->intoClause || select->fromClause ||
                             select->whereClause || select->groupClause || select->havingClause ||
                             select->windowClause || select->sortClause || select->limitOffset ||
                             select->limitCount || select->lockingClause || select->withClause ||
                             select->valuesLists || select->op != SETOP_NONE;
    auto const *const target = list_length(select->targetList) == 1
                                   ? linitial_node(ResTarget, select->targetList)
                                   : nullptr;
    if (has_clauses || !target || target->name || target->indirection || is_star(target->val))
        ereport(ERROR, (errcode(ERRCODE_SYNTAX_ERROR), errmsg("predicate is not one expression"),
                        errdetail("It is \"%s\".", text)));
    return target->val;
}

char *round_trip(Oid table, const char *text)
{
    ParseState *const state = make_parsestate(nullptr);
    state->p_sourcetext = text;
    Relation const relation = table_open(table, AccessShareLock);
    ParseNamespaceItem *const item =
        addRangeTableEntryForRelation(state, relation, AccessShareLock, nullptr, false, true);
    addNSItemToQuery(state, item, false, true, true);
    Node *const expression =
        transformWhereClause(state, parse(text), EXPR_KIND_INDEX_PREDICATE, "WHERE");
    assign_expr_collations(state, expression);
    char *const written = deparse_expression(
        expression, deparse_context_for(RelationGetRelationName(relation), table), false, false);
    free_parsestate(state);
    table_close(relation, AccessShareLock);
    return written;
}

// What the server writes it may read a little differently (casts of constants move inwards), once.
constexpr int kRounds = 4;

char *settle(Oid table, const char *text)
{
    for (int round = 0; round < kRounds; ++round) {
        char *const written = round_trip(table, text);
        if (strcmp(written, text) == 0)
            return written;
        text = written;
    }
    return pstrdup(text);
}

} // namespace

std::string canonical_predicate(Oid table, const std::string &text)
{
    return call([&] {
        ErrorContextCallback context{.previous = error_context_stack,
                                     .callback = point_into_predicate,
                                     .arg = const_cast<char *>(text.c_str())};
        error_context_stack = &context;
        char const *const settled = settle(table, text.c_str());
        error_context_stack = context.previous;
        return settled;
    });
}

} // namespace arbiter::pg
