#include "pg/postgres.hpp"

#include "pg/event_function.hpp"

#include "base/failure.hpp"
#include "pg/compat.hpp"
#include "pg/guard.hpp"

namespace arbiter::pg {

Oid event_type()
{
    return call([] {
        return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("recorded_event"),
                               ObjectIdGetDatum(get_namespace_oid("arbiter", false)));
    });
}

namespace {

constexpr const char *kDeclarations =
    "It has to be declared as handler(event arbiter.recorded_event), "
    "handler(events arbiter.recorded_event[]) or handler(event jsonb), RETURNS void.";

Oid event_array_type()
{
    Oid const element = event_type();
    return call([=] { return get_array_type(element); });
}

bool is_suitable(Oid function)
{
    HeapTuple const tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
    if (!HeapTupleIsValid(tuple))
        return false;
    auto const *const row = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple));
    bool const suitable =
        row->prokind == PROKIND_FUNCTION && !row->proretset && row->prorettype == VOIDOID;
    ReleaseSysCache(tuple);
    return suitable;
}

// kNoOid for none.
Oid look_up(const std::string &name, Oid argument)
{
    return call([&] {
        Oid const found = LookupFuncName(compat::qualified_name(name.c_str()), 1, &argument, true);
        return OidIsValid(found) && is_suitable(found) ? found : InvalidOid;
    });
}

void require_execute(Oid function)
{
    call([=] {
        AclResult const result = compat::function_aclcheck(function, GetUserId(), ACL_EXECUTE);
        if (result != ACLCHECK_OK)
            aclcheck_error(result, OBJECT_FUNCTION, get_func_name(function));
    });
}

Expr *parameter(Oid type)
{
    Param *const made = makeNode(Param);
    made->paramkind = PARAM_EXTERN;
    made->paramid = 1;
    made->paramtype = type;
    made->paramtypmod = -1;
    made->paramcollid = InvalidOid;
    made->location = -1;
    return reinterpret_cast<Expr *>(made);
}

Expr *call_of(Oid function, Oid result, Expr *argument)
{
    return reinterpret_cast<Expr *>(makeFuncExpr(function, result, list_make1(argument), InvalidOid,
                                                 InvalidOid, COERCE_EXPLICIT_CALL));
}

} // namespace

std::string event_function_signature(std::string_view name)
{
    std::string const terminated(name);
    Oid chosen = InvalidOid;
    for (Oid const argument : {event_type(), event_array_type(), Oid{JSONBOID}}) {
        Oid const found = look_up(terminated, argument);
        if (OidIsValid(found) && OidIsValid(chosen))
            throw Failure(sqlstate::kAmbiguousFunction,
                          "argument \"handler\" names more than one function: \"" + terminated +
                              "\"",
                          {}, "Give the one that is meant a name of its own.");
        chosen = OidIsValid(found) ? found : chosen;
    }
    if (!OidIsValid(chosen))
        throw Failure(sqlstate::kUndefinedFunction,
                      "argument \"handler\" names no suitable function: \"" + terminated + "\"", {},
                      kDeclarations);
    require_execute(chosen);
    return call([=] { return static_cast<const char *>(format_procedure_qualified(chosen)); });
}

std::string listing_function_name(std::string_view name)
{
    std::string const terminated(name);
    Oid const found = call([&] {
        Oid const argument = TEXTOID;
        Oid const any =
            LookupFuncName(compat::qualified_name(terminated.c_str()), 1, &argument, true);
        return OidIsValid(any) && get_func_retset(any) ? any : InvalidOid;
    });
    if (!OidIsValid(found))
        throw Failure(sqlstate::kUndefinedFunction,
                      "argument \"reconciler\" names no suitable function: \"" + terminated + "\"",
                      {},
                      "It has to be declared as reconciler(projection text) RETURNS TABLE (entity "
                      "text, revision bigint, detail jsonb).");
    require_execute(found);
    return call([=] {
        return static_cast<const char *>(quote_qualified_identifier(
            get_namespace_name(get_func_namespace(found)), get_func_name(found)));
    });
}

EventFunction::EventFunction(std::string_view signature)
{
    std::string const terminated(signature);
    function_ = call([&] {
        return DatumGetObjectId(
            DirectFunctionCall1(regprocedurein, CStringGetDatum(terminated.c_str())));
    });
    require_execute(function_);
    Oid const event = event_type();
    call([=, this] {
        Oid *arguments = nullptr;
        int count = 0;
        get_func_signature(function_, &arguments, &count);
        if (count != 1 || !is_suitable(function_))
            ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
                            errmsg("function %s does not handle events",
                                   format_procedure_qualified(function_)),
                            errhint("%s", kDeclarations)));
        argument_ = arguments[0];
        Expr *const argument = argument_ == JSONBOID
                                   ? call_of(F_TO_JSONB, JSONBOID, parameter(event))
                                   : parameter(argument_);
        context_ = CreateStandaloneExprContext();
        state_ = ExecInitExpr(expression_planner(call_of(function_, VOIDOID, argument)), nullptr);
        ParamListInfo const list = makeParamList(1);
        list->params[0] = {.value = 0,
                           .isnull = false,
                           .pflags = 0,
                           .ptype = argument_ == JSONBOID ? event : argument_};
        context_->ecxt_param_list_info = list;
    });
}

void EventFunction::run(Datum argument)
{
    call([=, this] {
        CHECK_FOR_INTERRUPTS();
        ResetExprContext(context_);
        context_->ecxt_param_list_info->params[0].value = argument;
        bool null = false;
        ExecEvalExprSwitchContext(state_, context_, &null);
    });
}

void EventFunction::operator()(std::span<const Datum> events)
{
    Oid const element = event_type();
    if (argument_ != event_array_type()) {
        for (Datum const event : events)
            run(event);
        return;
    }
    run(call([&] {
        return PointerGetDatum(construct_array(const_cast<Datum *>(events.data()),
                                               static_cast<int>(events.size()), element, -1, false,
                                               TYPALIGN_DOUBLE));
    }));
}

} // namespace arbiter::pg
