#include "statement.hpp"

#include <cctype>
#include <map>

namespace bench {
namespace {

bool is_name(char c)
{
    return std::islower(static_cast<unsigned char>(c)) || c == '_';
}

Argument argument_named(const std::string &name)
{
    if (const auto source = source_named(name))
        return *source;
    return Captured{name};
}

} // namespace

Statement parse_statement(std::string_view sql)
{
    Statement statement;
    std::map<std::string, size_t> numbers;
    bool in_quotes = false;
    for (size_t i = 0; i < sql.size(); ++i) {
        const char c = sql[i];
        if (c == '\'')
            in_quotes = !in_quotes;
        const bool starts_name = c == ':' && !in_quotes && i + 1 < sql.size() &&
                                 is_name(sql[i + 1]) && (i == 0 || sql[i - 1] != ':');
        if (!starts_name) {
            statement.sql += c;
            continue;
        }
        std::string name;
        while (i + 1 < sql.size() && is_name(sql[i + 1]))
            name += sql[++i];
        const auto [known, is_new] = numbers.emplace(name, numbers.size() + 1);
        if (is_new)
            statement.arguments.push_back(argument_named(name));
        statement.sql += "$" + std::to_string(known->second);
    }
    return statement;
}

} // namespace bench
