#include "pg/postgres.hpp"

#include "pg/row_predicate.hpp"

#include "pg/compat.hpp"
#include "pg/guard.hpp"
#include "pg/row_condition.hpp"
#include "pg/settings.hpp"

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

char *written(Oid table, Node *expression)
{
    return deparse_expression(expression, deparse_context_for(get_rel_name(table), table), false,
                              false);
}

// What the server writes it may read a little differently (casts of constants move inwards), once.
constexpr int kRounds = 4;

char *settle(Oid table, const char *text)
{
    for (int round = 0; round < kRounds; ++round) {
        char *const again = written(table, analyzed_condition(table, text));
        if (strcmp(again, text) == 0)
            return again;
        text = again;
    }
    return pstrdup(text);
}

template <typename Work>
std::string pointing_into(const std::string &text, Work work)
{
    return call([&] {
        ErrorContextCallback context{.previous = error_context_stack,
                                     .callback = point_into_predicate,
                                     .arg = const_cast<char *>(text.c_str())};
        error_context_stack = &context;
        char const *const done = work();
        error_context_stack = context.previous;
        return done;
    });
}

Node *with_null(Node *node, void *column)
{
    if (!node)
        return nullptr;
    if (IsA(node, Var)) {
        auto const *const var = reinterpret_cast<Var *>(node);
        return var->varattno == *static_cast<AttrNumber *>(column)
                   ? reinterpret_cast<Node *>(
                         makeNullConst(var->vartype, var->vartypmod, var->varcollid))
                   : node;
    }
    return compat::mutate_expression(node, with_null, column);
}

void refuse_volatile(Node *expression, const char *text)
{
    if (contain_volatile_functions(expression))
        ereport(ERROR, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
                        errmsg("functions in a predicate must not be volatile"),
                        errdetail("It is \"%s\".", text)));
}

} // namespace

Node *analyzed_condition(Oid table, const char *text)
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
    free_parsestate(state);
    table_close(relation, AccessShareLock);
    return expression;
}

List *normalized_condition(Oid table, const char *text)
{
    Node *const folded = eval_const_expressions(nullptr, analyzed_condition(table, text));
    return make_ands_implicit(canonicalize_qual(reinterpret_cast<Expr *>(folded), false));
}

std::string canonical_predicate(Oid table, const std::string &text)
{
    return pointing_into(text, [&] { return settle(table, text.c_str()); });
}

std::string portable_predicate(Oid table, const std::string &text)
{
    Node *expression = nullptr;
    pointing_into(text, [&] {
        expression = analyzed_condition(table, text.c_str());
        refuse_volatile(expression, text.c_str());
        return "";
    });
    PortableSettings const portable;
    return call([&] { return settle(table, written(table, expression)); });
}

std::string predicate_with_null(Oid table, const std::string &text, const std::string &column)
{
    return call([&] {
        AttrNumber number = get_attnum(table, column.c_str());
        Node *const replaced = with_null(analyzed_condition(table, text.c_str()), &number);
        return written(table, eval_const_expressions(nullptr, replaced));
    });
}

bool is_immutable(Oid table, const std::string &text)
{
    return call(
        [&] { return !contain_mutable_functions(analyzed_condition(table, text.c_str())); });
}

} // namespace arbiter::pg
