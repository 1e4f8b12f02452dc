#include "pg/postgres.hpp"

#include "pg/caller_function.hpp"

#include <string>
#include <unordered_map>

#include "base/failure.hpp"
#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// Reached by pointer: a static destructor would run at backend exit.
using Plans = std::unordered_map<Oid, std::shared_ptr<CachedExpression>>;
constinit Plans *plans = nullptr;

Oid second_type(const Signature &signature)
{
    if (!signature.second)
        return JSONBOID;
    return call([&] {
        return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(signature.second),
                               ObjectIdGetDatum(get_namespace_oid("arbiter", false)));
    });
}

bool is_plain_function(Oid function)
{
    HeapTuple const tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
    if (!HeapTupleIsValid(tuple))
        return false;
    auto const *const row = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple));
    bool const plain =
        row->prokind == PROKIND_FUNCTION && !row->proretset && row->prorettype == JSONBOID;
    ReleaseSysCache(tuple);
    return plain;
}

Oid look_up(const std::string &name, Oid second)
{
    return call([&] {
        Oid const types[] = {JSONBOID, second};
        Oid const found = LookupFuncName(compat::qualified_name(name.c_str()), 2, types, true);
        return OidIsValid(found) && is_plain_function(found) ? found : InvalidOid;
    });
}

Oid find(std::string_view name, const Signature &signature, Oid second)
{
    std::string const terminated(name);
    Oid const found = look_up(terminated, second);
    if (!OidIsValid(found))
        throw Failure(sqlstate::kUndefinedFunction,
                      std::string("argument \"") + signature.argument +
                          "\" names no suitable function: \"" + terminated + "\"",
                      {}, std::string("It has to be declared as ") + signature.declaration + ".");
    call([=] {
        AclResult const result = compat::function_aclcheck(found, GetUserId(), ACL_EXECUTE);
        if (result != ACLCHECK_OK)
            aclcheck_error(result, OBJECT_FUNCTION, get_func_name(found));
    });
    return found;
}

Param *parameter(int n, Oid type)
{
    Param *const made = makeNode(Param);
    made->paramkind = PARAM_EXTERN;
    made->paramid = n;
    made->paramtype = type;
    made->paramtypmod = -1;
    made->paramcollid = InvalidOid;
    made->location = -1;
    return made;
}

CachedExpression *make_plan(Oid function, Oid second)
{
    return call([=] {
        List *const arguments = list_make2(parameter(1, JSONBOID), parameter(2, second));
        FuncExpr *const expression = makeFuncExpr(function, JSONBOID, arguments, InvalidOid,
                                                  InvalidOid, COERCE_EXPLICIT_CALL);
        return GetCachedExpression(reinterpret_cast<Node *>(expression));
    });
}

std::shared_ptr<CachedExpression> plan_for(Oid function, Oid second)
{
    if (!plans)
        plans = new Plans;
    auto &plan = (*plans)[function];
    if (!plan || !plan->is_valid)
        plan = {make_plan(function, second), FreeCachedExpression};
    return plan;
}

} // namespace

CallerFunction::CallerFunction(std::string_view name, const Signature &signature)
    : signature_(signature), second_type_(pg::second_type(signature)),
      function_(find(name, signature, second_type_)), plan_(plan_for(function_, second_type_))
{
    call([this] {
        context_ = CreateStandaloneExprContext();
        state_ = ExecInitExpr(reinterpret_cast<Expr *>(plan_->expr), nullptr);
        ParamListInfo const list = makeParamList(2);
        list->params[0] = {.value = 0, .isnull = false, .pflags = 0, .ptype = JSONBOID};
        list->params[1] = {.value = 0, .isnull = false, .pflags = 0, .ptype = second_type_};
        context_->ecxt_param_list_info = list;
    });
}

CallerFunction::~CallerFunction() = default;

MemoryContext CallerFunction::memory() const noexcept
{
    return context_->ecxt_per_tuple_memory;
}

Datum CallerFunction::call_from_server(Datum first, Datum second)
{
    ParamListInfo const list = context_->ecxt_param_list_info;
    list->params[0].value = first;
    list->params[1].value = second;
    bool null = false;
    Datum const result = ExecEvalExprSwitchContext(state_, context_, &null);
    if (null)
        ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                        errmsg("function %s returned null", format_procedure_qualified(function_)),
                        errhint("%s", signature_.never_null)));
    return result;
}

Datum CallerFunction::operator()(Datum first, Datum second)
{
    return call([=, this] {
        ResetExprContext(context_);
        return call_from_server(first, second);
    });
}

} // namespace arbiter::pg
