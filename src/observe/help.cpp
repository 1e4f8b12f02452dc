#include "observe/help.hpp"

#include "base/failure.hpp"
#include "pg/spi.hpp"

namespace arbiter::observe {

namespace {

// Generated from the pages (extension/help.awk), in their order; the comment is the server's.
enum { kTopic, kTitle, kCall, kSignature, kErrors, kComment };
const char *const kEntries =
    "SELECT h.topic, h.title, h.call, h.signature, h.errors, COALESCE((SELECT "
    "pg_catalog.obj_description(p.oid, 'pg_proc') FROM pg_catalog.pg_proc AS p "
    "WHERE p.pronamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace "
    "AND p.proname OPERATOR(pg_catalog.=) h.call "
    "AND NOT pg_catalog.starts_with(h.signature, 'view ') ORDER BY p.oid LIMIT 1), "
    "pg_catalog.obj_description(pg_catalog.to_regclass('arbiter.' OPERATOR(pg_catalog.||) "
    "pg_catalog.quote_ident(h.call)), 'pg_class'), '') FROM arbiter.help_pages() AS h "
    "WHERE $1 OPERATOR(pg_catalog.=) '' OR h.topic OPERATOR(pg_catalog.=) $1 "
    "OR h.call OPERATOR(pg_catalog.=) $1 AND NOT EXISTS (SELECT FROM arbiter.help_pages() AS t "
    "WHERE t.topic OPERATOR(pg_catalog.=) $1) ORDER BY h.place";

using Lines = std::vector<std::string>;

void add_indented(Lines &lines, const std::string &indent, std::string_view text)
{
    while (!text.empty()) {
        auto const end = text.find('\n');
        lines.push_back(indent + std::string(text.substr(0, end)));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
}

// Names one after the other, in lines that a terminal shows whole.
void add_names(Lines &lines, const std::string &indent, const Lines &names)
{
    constexpr std::size_t kWidth = 90;
    std::string line = indent;
    for (const std::string &name : names) {
        if (line.size() + name.size() > kWidth) {
            lines.push_back(line);
            line = indent;
        }
        line += (line == indent ? "" : " ") + name + (&name == &names.back() ? "" : ",");
    }
    lines.push_back(line);
}

Lines list_of_topics(const pg::Rows &rows)
{
    Lines lines{"SELECT arbiter.help('claim') says what a topic has, arbiter.help('settle') what a "
                "call does."};
    for (std::uint64_t row = 0; row < rows.count();) {
        std::string const topic(rows.text(row, kTopic));
        lines.emplace_back();
        lines.push_back(topic + ": " + std::string(rows.text(row, kTitle)));
        Lines names;
        for (; row < rows.count() && rows.text(row, kTopic) == topic; ++row)
            names.emplace_back(rows.text(row, kCall));
        add_names(lines, "    ", names);
    }
    return lines;
}

Lines entries(const pg::Rows &rows)
{
    std::string const topic(rows.text(0, kTopic));
    Lines lines{topic + ": " + std::string(rows.text(0, kTitle))};
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        lines.emplace_back();
        add_indented(lines, "", rows.text(row, kSignature));
        add_indented(lines, "    ", rows.text(row, kComment));
        add_indented(lines, "    ", rows.text(row, kErrors));
    }
    lines.emplace_back();
    lines.push_back("More: doc/" + topic +
                    ".md, and doc/errors.md for errors that every call can "
                    "raise");
    return lines;
}

} // namespace

Lines help(std::string_view topic)
{
    pg::Spi spi;
    pg::Rows const rows = spi.run(kEntries, {pg::Type::text}, {topic}, pg::Sees::caller);
    if (rows.empty())
        throw Failure(sqlstate::kInvalidParameterValue,
                      "no topic and no call is named \"" + std::string(topic) + "\"", "",
                      "SELECT arbiter.help() lists them.");
    return topic.empty() ? list_of_topics(rows) : entries(rows);
}

} // namespace arbiter::observe
