#include "pool/order.hpp"

#include <algorithm>
#include <optional>

#include "base/failure.hpp"
#include "base/quote.hpp"

namespace arbiter::pool {

namespace {

// By hand, since the C library's depend on the locale.
bool is_space(char c) noexcept
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool begins_name(char c) noexcept
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || (c & 0x80) != 0;
}
bool continues_name(char c) noexcept
{
    return begins_name(c) || (c >= '0' && c <= '9') || c == '$';
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text), rest_(text) {}

    std::vector<SortColumn> list()
    {
        std::vector<SortColumn> order;
        do
            add(order, column());
        while (take(','));
        if (!rest_.empty())
            refuse();
        return order;
    }

private:
    SortColumn column()
    {
        SortColumn column{.name = name()};
        auto const direction = word();
        if (direction == "desc")
            column.descending = true;
        if (direction == "asc" || direction == "desc")
            skip(direction.size());
        column.nulls_first = column.descending;
        if (word() == "nulls") {
            skip(5);
            auto const where = word();
            if (where != "first" && where != "last")
                refuse();
            column.nulls_first = where == "first";
            skip(where.size());
        }
        return column;
    }

    std::string name()
    {
        skip(0);
        if (take('"'))
            return quoted();
        std::string name = word();
        if (name.empty())
            refuse();
        skip(name.size());
        return name;
    }

    std::string quoted()
    {
        std::string name;
        for (;;) {
            std::size_t const end = rest_.find('"');
            if (end == std::string_view::npos)
                refuse();
            name.append(rest_.substr(0, end));
            rest_.remove_prefix(end + 1);
            if (rest_.empty() || rest_.front() != '"')
                break;
            name += '"';
            rest_.remove_prefix(1);
        }
        if (name.empty())
            refuse();
        skip(0);
        return name;
    }

    // What comes next, folded; empty if it is no word.
    std::string word() const
    {
        std::string word;
        if (!rest_.empty() && begins_name(rest_.front()))
            for (char c : rest_) {
                if (!continues_name(c))
                    break;
                word += lower(c);
            }
        return word;
    }

    bool take(char c)
    {
        if (rest_.empty() || rest_.front() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    // So many bytes, and the blanks behind them.
    void skip(std::size_t count)
    {
        rest_.remove_prefix(count);
        while (!rest_.empty() && is_space(rest_.front()))
            rest_.remove_prefix(1);
    }

    static void add(std::vector<SortColumn> &order, SortColumn column)
    {
        for (const SortColumn &before : order)
            if (before.name == column.name)
                throw Failure(sqlstate::kInvalidParameterValue,
                              "column \"" + column.name + "\" is named twice");
        order.push_back(std::move(column));
    }

    [[noreturn]] void refuse() const
    {
        throw Failure(sqlstate::kInvalidParameterValue, "order_by is not a list of columns",
                      rest_.empty() ? "It ends too early: " + quote_literal(text_) + "."
                                    : "It cannot be read from " + quote_literal(rest_) + " on.",
                      "Write columns with ASC or DESC, NULLS FIRST or NULLS LAST, and commas: "
                      "'priority DESC, id'. An expression can be a generated column.");
    }

    std::string_view const text_;
    std::string_view rest_;
};

} // namespace

std::vector<SortColumn> read_order(std::string_view text)
{
    return Reader(text).list();
}

std::string to_sql(const std::vector<SortColumn> &order)
{
    std::string sql;
    for (const SortColumn &column : order) {
        sql.append(sql.empty() ? "" : ", ").append(quote_identifier(column.name));
        if (column.descending)
            sql += " DESC";
        if (column.nulls_first != column.descending)
            sql += column.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    }
    return sql;
}

} // namespace arbiter::pool
