#include "observe/pools.hpp"

#include <optional>

#include "base/quote.hpp"
#include "pg/column.hpp"
#include "pg/error.hpp"
#include "pg/spi.hpp"
#include "pg/subtransaction.hpp"
#include "pool/pool.hpp"
#include "store/format.hpp"

namespace arbiter::observe {

namespace {

constexpr store::Query kPools{"SELECT p.pool FROM {store}.pools AS p ORDER BY p.pool"};

std::vector<std::string> names(store::Store &store)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kPools), {}, pg::Sees::caller);
    std::vector<std::string> found;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        found.emplace_back(rows.text(row, 0));
    return found;
}

// Nothing where all that the pool names is in its table; the predicate is parsed with the index.
std::optional<std::string> what_does_not_fit(const pool::Definition &definition, bool &has_index)
{
    auto const error = pg::attempt([&] {
        for (const std::string &column : {definition.since, definition.token})
            pg::describe_column(definition.relation, column);
        has_index = pool::has_index(definition);
    });
    if (!error)
        return std::nullopt;
    if (!error->code().starts_with("42"))
        throw *error;
    return error->what();
}

std::optional<Finding> examine(const store::Store &store, const std::string &name,
                               const pool::Definition &definition)
{
    std::string const subject = "pool " + name;
    std::string const in_store = quote_literal(store.name);
    if (!pool::has_table(definition))
        return Finding{Severity::error, subject, "its table is gone",
                       "SELECT arbiter.drop_pool(" + in_store + ", " + quote_literal(name) + ")"};
    if (!pool::is_armed(definition, name))
        return Finding{Severity::error, subject,
                       "the trigger that guards its tokens is missing or disabled: it hands out "
                       "nothing, raw writers are not judged",
                       "SELECT arbiter.upgrade_store(" + in_store + ")"};
    bool has_index = false;
    if (auto const what = what_does_not_fit(definition, has_index))
        return Finding{Severity::error, subject,
                       "it hands out nothing until it is dropped and made anew, for its table has "
                       "changed: " +
                           *what,
                       "SELECT arbiter.drop_pool(" + in_store + ", " + quote_literal(name) +
                           ", force => true)"};
    if (!has_index)
        return Finding{Severity::warning, subject,
                       "no index supports it: every allocation reads and sorts all rows that are "
                       "free",
                       pool::create_index(definition)};
    return std::nullopt;
}

} // namespace

void examine_pools(store::Store &store, std::vector<Finding> &findings)
{
    if (store.format < store::current_format())
        return;
    for (const std::string &name : names(store))
        if (auto const definition = pool::find_definition(store, name))
            if (auto const finding = examine(store, name, *definition))
                findings.push_back(*finding);
}

} // namespace arbiter::observe
