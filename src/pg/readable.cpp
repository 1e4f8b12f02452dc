#include "pg/postgres.hpp"

#include "pg/readable.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

bool needs_no_quotes(const std::string &name)
{
    return call([&name] { return ::quote_identifier(name.c_str()) == name.c_str(); });
}

// The first position behind what is quoted from there on. A quote that belongs to it is doubled:
// what looks like the end is followed by what looks like another beginning.
std::size_t end_of_quoted(std::string_view sql, std::size_t begin) noexcept
{
    auto const end = sql.find(sql[begin], begin + 1);
    return end == std::string_view::npos ? sql.size() : end + 1;
}

} // namespace

std::string readable(std::string_view sql)
{
    std::string result;
    for (std::size_t at = 0; at < sql.size();) {
        auto const end = sql[at] == '"' || sql[at] == '\'' ? end_of_quoted(sql, at) : at + 1;
        std::string const part(sql.substr(at, end - at));
        bool const is_whole_name = sql[at] == '"' && part.size() > 2 && part.back() == '"' &&
                                   (end == sql.size() || sql[end] != '"') &&
                                   (at == 0 || sql[at - 1] != '"');
        std::string const name = is_whole_name ? part.substr(1, part.size() - 2) : std::string();
        result += is_whole_name && needs_no_quotes(name) ? name : part;
        at = end;
    }
    return result;
}

} // namespace arbiter::pg
