#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "guard/guard.hpp"

using namespace arbiter;

namespace {

std::optional<std::string> optional_string(const pg::Arguments &arguments, int n)
{
    auto const text = arguments.optional_text(n);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

void tell(const std::string &name, guard::Made made)
{
    if (made == guard::Made::existed)
        pg::notice("guard \"" + name + "\" already exists, skipping");
    if (made == guard::Made::adopted)
        pg::notice("index \"" + name + "\" exists and becomes the guard");
}

} // namespace

ARBITER_FUNCTION(arbiter_create_guard)
{
    pg::Arguments const arguments(fcinfo);
    std::string const name(arguments.text(0, "name"));
    auto const relation = arguments.text(1, "relation");
    auto const columns = arguments.texts(2, "columns");
    guard::Definition given{.columns = {columns.begin(), columns.end()},
                            .predicate = optional_string(arguments, 3),
                            .wording = guard::Wording{std::string(arguments.text(4, "message")),
                                                      optional_string(arguments, 5)}};
    pg::require_writable("arbiter.create_guard()");
    tell(name, guard::create(name, relation, std::move(given)));
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_guard)
{
    pg::Arguments const arguments(fcinfo);
    std::string const name(arguments.text(0, "name"));
    auto const relation = arguments.text(1, "relation");
    pg::require_writable("arbiter.drop_guard()");
    guard::drop(name, relation);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_guard_wording)
{
    auto const comment = pg::Arguments(fcinfo).optional_text(0);
    auto const wording = comment ? guard::from_comment(*comment) : std::nullopt;
    if (!wording)
        return pg::row_datum(fcinfo, {pg::Value::null(), pg::Value::null()});
    return pg::row_datum(
        fcinfo, {std::string_view(wording->message),
                 wording->hint ? pg::Value(std::string_view(*wording->hint)) : pg::Value::null()});
}
