#include "guard/definition.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/quote.hpp"

namespace arbiter::guard {

namespace {

std::string shown(const std::optional<std::string> &text)
{
    return text ? quote_literal(*text) : "null";
}

std::string shown(const std::vector<std::string> &names)
{
    std::string list;
    for (const std::string &name : names)
        list.append(list.empty() ? "" : ", ").append(quote_identifier(name));
    return "(" + list + ")";
}

std::string sentence(const char *what, const std::string &existing, const std::string &given)
{
    return std::string("It was created with ") + what + " " + existing + ", now it is " + given +
           ".";
}

void require_text(const char *what, std::string_view text)
{
    if (text.empty())
        throw Failure(sqlstate::kInvalidParameterValue, std::string(what) + " must not be empty");
}

} // namespace

void check(const Definition &given)
{
    if (given.columns.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "a guard needs at least one column");
    for (auto column = given.columns.begin(); column != given.columns.end(); ++column)
        if (std::find(given.columns.begin(), column, *column) != column)
            throw Failure(sqlstate::kInvalidParameterValue,
                          "column \"" + *column + "\" is named twice");
    require_text("message", given.wording->message);
    if (given.wording->hint)
        require_text("hint", *given.wording->hint);
}

std::string difference(const Definition &existing, const Definition &given)
{
    if (existing.columns != given.columns)
        return sentence("columns", shown(existing.columns), shown(given.columns));
    if (existing.predicate != given.predicate)
        return sentence("predicate", shown(existing.predicate), shown(given.predicate));
    if (!existing.wording)
        return {};
    if (existing.wording->message != given.wording->message)
        return sentence("message", quote_literal(existing.wording->message),
                        quote_literal(given.wording->message));
    if (existing.wording->hint != given.wording->hint)
        return sentence("hint", shown(existing.wording->hint), shown(given.wording->hint));
    return {};
}

} // namespace arbiter::guard
