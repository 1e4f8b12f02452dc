#include "derivation/function.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/spi.hpp"

namespace arbiter::derivation {

namespace {

// A signature is shown with the types' own names, whatever the search_path would leave out or add.
#define SIGNATURE                                                                                  \
    "pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', "                                   \
    "pg_catalog.quote_ident(p.proname), "                                                          \
    "'(', (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(t.typname), ', ' ORDER BY a.n) "    \
    "FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS a (type, n) "      \
    "JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) a.type), ')')"

constexpr store::Query kFunctions{
    "SELECT " SIGNATURE ", p.prosrc, p.proargtypes::pg_catalog.text, "
    "COALESCE(pg_catalog.array_to_string(p.proargnames, ', '), ''), "
    "l.lanname OPERATOR(pg_catalog.=) 'sql' AND p.prosqlbody IS NULL "
    "AND p.prokind OPERATOR(pg_catalog.=) 'f' "
    "AND p.provolatile OPERATOR(pg_catalog.=) 'i' AND p.proparallel OPERATOR(pg_catalog.=) 's' "
    "AND NOT p.proisstrict AND NOT p.prosecdef AND NOT p.proretset AND p.proconfig IS NULL "
    "AND p.prorettype OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype, "
    "p.oid::pg_catalog.int8 FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l "
    "ON l.oid OPERATOR(pg_catalog.=) p.prolang "
    "JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace "
    "WHERE p.pronamespace OPERATOR(pg_catalog.=) $1::pg_catalog.oid "
    "AND p.proname OPERATOR(pg_catalog.=) $2::pg_catalog.name ORDER BY 1",
    pg::Type::bigint, pg::Type::text};

constexpr store::Query kUnregistered{
    "SELECT " SIGNATURE " FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n "
    "ON n.oid OPERATOR(pg_catalog.=) p.pronamespace WHERE p.pronamespace OPERATOR(pg_catalog.=) "
    "$1::pg_catalog.oid "
    "AND pg_catalog.starts_with(p.prosrc, 'SELECT arbiter.derived_id(') "
    "AND NOT EXISTS (SELECT FROM {store}.derivations AS d "
    "WHERE d.name OPERATOR(pg_catalog.=) p.proname::pg_catalog.text COLLATE pg_catalog.\"C\") "
    "ORDER BY 1",
    pg::Type::bigint};

std::int64_t schema_of(const store::Store &store)
{
    return static_cast<std::int64_t>(store.schema);
}

pg::Type type_of(identity::PartType type) noexcept
{
    switch (type) {
    case identity::PartType::text:
        return pg::Type::text;
    case identity::PartType::uuid:
        return pg::Type::uuid;
    case identity::PartType::bigint:
        return pg::Type::bigint;
    case identity::PartType::boolean:
        return pg::Type::boolean;
    case identity::PartType::text_list:
        break;
    }
    return pg::Type::text_array;
}

// As the catalog's oidvector prints them.
std::string type_oids(const identity::Spec &spec)
{
    std::string oids;
    for (const identity::Part &part : spec.parts)
        oids += (oids.empty() ? "" : " ") + std::to_string(pg::type_oid(type_of(part.type)));
    return oids;
}

std::string signature(const store::Store &store, const Record &record, const identity::Spec &spec)
{
    return quote_identifier(store.name) + "." + quote_identifier(record.name) + "(" +
           sql_types(spec) + ")";
}

enum { kSignature, kBody, kTypes, kNames, kAsMade, kFunction }; // what kFunctions returns

bool has_types_of(const pg::Rows &rows, std::uint64_t row, const identity::Spec &spec)
{
    return rows.text(row, kTypes) == type_oids(spec);
}

void examine(const pg::Rows &rows, std::uint64_t row, const Record &record,
             const identity::Spec &spec, std::vector<FunctionProblem> &problems)
{
    if (!has_types_of(rows, row, spec)) {
        std::string const other(rows.text(row, kSignature));
        problems.push_back(
            {"another function of its name, " + other + ", can be called by mistake", other});
        return;
    }
    if (rows.text(row, kBody) != function_body(record, spec.parts.size()))
        problems.push_back({"the body of its function was replaced", {}});
    if (rows.text(row, kNames) != argument_names(spec) || !rows.boolean(row, kAsMade))
        problems.push_back({"its function was declared again with other properties", {}});
}

} // namespace

void make_function(store::Store &store, const Record &record, const identity::Spec &spec,
                   std::string_view create)
{
    pg::Spi spi;
    spi.run(function_definition(create, store.name, record, spec), pg::Sees::fresh);
    spi.run("COMMENT ON FUNCTION " + signature(store, record, spec) + " IS " +
                quote_literal("the id derived from " + argument_names(spec) +
                              "; made by arbiter.create_derivation and frozen"),
            pg::Sees::fresh);
}

void drop_function(store::Store &store, const Record &record, bool force)
{
    pg::Spi spi;
    spi.run("DROP FUNCTION IF EXISTS " +
                signature(store, record, identity::parse_spec(record.seal.spec)) +
                (force ? " CASCADE" : ""),
            pg::Sees::fresh);
}

void refuse_taken_name(store::Store &store, std::string_view name)
{
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kFunctions), {schema_of(store), name}, pg::Sees::fresh);
    if (!rows.empty())
        throw Failure(sqlstate::kDuplicateObject,
                      "function \"" + std::string(name) + "\" exists in store \"" + store.name +
                          "\"",
                      "It is " + std::string(rows.text(0, 0)) + ".",
                      "A second one of that name could be called by mistake.");
}

std::vector<FunctionProblem> function_problems(store::Store &store, const Record &record,
                                               const identity::Spec &spec, pg::Sees sees)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kFunctions),
                                  {schema_of(store), std::string_view(record.name)}, sees);
    std::vector<FunctionProblem> problems;
    bool found = false;
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        examine(rows, row, record, spec, problems);
        found = found || has_types_of(rows, row, spec);
    }
    if (!found)
        problems.push_back({"its function is missing", {}});
    return problems;
}

std::vector<FunctionProblem> problems_of_function(store::Store &store, const Record &record,
                                                  const identity::Spec &spec, Oid function)
{
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kFunctions), {schema_of(store), std::string_view(record.name)},
                pg::Sees::fresh);
    std::vector<FunctionProblem> problems;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        if (static_cast<Oid>(rows.bigint(row, kFunction)) == function)
            examine(rows, row, record, spec, problems);
    return problems;
}

std::vector<std::string> unregistered_functions(store::Store &store)
{
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kUnregistered), {schema_of(store)}, pg::Sees::caller);
    std::vector<std::string> functions;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        functions.emplace_back(rows.text(row, 0));
    return functions;
}

} // namespace arbiter::derivation
