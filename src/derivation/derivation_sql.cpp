#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/json.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "derivation/explain.hpp"
#include "derivation/registry.hpp"
#include "derivation/update.hpp"
#include "derivation/verify.hpp"

using namespace arbiter;

namespace {

Json json_argument(const pg::Arguments &arguments, int n, const char *name)
{
    return read_json(pg::json_text(arguments.jsonb(n, name)));
}

} // namespace

ARBITER_FUNCTION(arbiter_create_derivation)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "name");
    Uuid const name_space = arguments.uuid(2, "namespace");
    Json const parts = json_argument(arguments, 3, "parts");
    Json const vectors = json_argument(arguments, 4, "vectors");
    auto const layout = identity::parse_layout(arguments.text(5, "layout"));
    pg::require_writable("arbiter.create_derivation()");
    identity::Spec const spec{name_space, layout, identity::parse_parts(parts)};
    auto const golden = derivation::accept(spec, vectors);
    auto const store = store::open_for_writing(store_name);
    switch (derivation::create(*store, {.name = name,
                                        .spec = spec,
                                        .vectors = golden,
                                        .supersedes = arguments.optional_text(6)})) {
    case derivation::Made::created:
        break;
    case derivation::Made::existed:
        pg::notice("derivation \"" + std::string(name) + "\" already exists, skipping");
        break;
    case derivation::Made::restored:
        pg::notice("derivation \"" + std::string(name) +
                   "\" already exists, its function was restored");
    }
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_derivation)
{
    pg::Arguments const arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const name = arguments.text(1, "name");
    bool const force = arguments.boolean(2, "force");
    pg::require_writable("arbiter.drop_derivation()");
    auto const store = store::open_for_writing(store_name);
    derivation::drop(*store, name, force);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_explain_derivation)
{
    pg::Arguments const arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const name = arguments.text(1, "name");
    Json args = json_argument(arguments, 2, "args");
    pg::ResultSet rows(fcinfo);
    for (const auto &step : derivation::explain(derivation::find(*store, name), std::move(args)))
        rows.add({std::string_view(step.kind), std::string_view(step.name),
                  std::string_view(step.value), std::string_view(step.octets)});
    return 0;
}

ARBITER_FUNCTION(arbiter_verify_derivations)
{
    pg::Arguments const arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    pg::ResultSet rows(fcinfo);
    for (const derivation::Finding &finding : derivation::verify(*store)) {
        bool const drift = finding.verdict == derivation::Verdict::drift;
        rows.add({std::string_view(finding.derivation),
                  std::string_view(derivation::verdict_name(finding.verdict)),
                  drift ? pg::Value(std::string_view(finding.problem)) : pg::Value::null(),
                  drift ? pg::Value(std::string_view(finding.remedy)) : pg::Value::null()});
    }
    return 0;
}

ARBITER_FUNCTION(arbiter_export_vectors)
{
    pg::Arguments const arguments(fcinfo);
    auto const store = store::open_for_reading(arguments.text(0, "store"));
    auto const record = derivation::find(*store, arguments.text(1, "name"));
    return pg::json_from_text(derivation::export_text(record));
}

ARBITER_FUNCTION(arbiter_guard_derivations)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    derivation::guard_registry(pg::schema_of(trigger), pg::command_of(trigger));
    return 0;
}

ARBITER_FUNCTION(arbiter_require_undrifted)
{
    pg::Arguments const arguments(fcinfo);
    derivation::require_undrifted(arguments.text(0, "version"));
    PG_RETURN_VOID();
}
