#include "identity/dialect.hpp"

#include <cstdio>

#include "base/utf8.hpp"
#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

void append_unit(std::string &out, char32_t unit)
{
    char text[sizeof "\\uffffffff"]; // no unit is that long, but the compiler cannot know
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(unit));
    out += text;
}

void append_ascii_only(std::string &out, std::string_view text)
{
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (point.value < 0x80) {
            out += text.front();
        } else if (point.value < 0x10000) {
            append_unit(out, point.value);
        } else {
            append_unit(out, 0xD800 + ((point.value - 0x10000) >> 10));
            append_unit(out, 0xDC00 + ((point.value - 0x10000) & 0x3FF));
        }
        text.remove_prefix(point.size);
    }
}

std::string with_slashes_escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '/')
            out += '\\';
        out += c;
    }
    return out;
}

void append_string(std::string &out, std::string_view text, const Dialect &dialect)
{
    std::string json;
    append_json_string(json, text);
    if (dialect.escape_slash)
        json = with_slashes_escaped(json);
    if (dialect.escape_beyond_ascii)
        append_ascii_only(out, json);
    else
        out += json;
}

void append_list(std::string &out, std::span<const std::string_view> texts, const Dialect &dialect)
{
    if (dialect.quote)
        out += '[';
    bool first = true;
    for (const std::string_view text : texts) {
        if (!first)
            out += dialect.between;
        first = false;
        if (dialect.quote)
            append_string(out, text, dialect);
        else
            out += text;
    }
    if (dialect.quote)
        out += ']';
}

void append_scalar(std::string &out, Layout layout, const NormalPart &part, const Dialect &dialect)
{
    std::string text(part.text);
    if (dialect.upper_uuid && part.type == PartType::uuid)
        for (char &c : text)
            if (c >= 'a' && c <= 'f')
                c ^= 0x20;
    const bool is_string = part.type == PartType::text || part.type == PartType::uuid;
    if (layout == Layout::json && is_string && dialect.quote)
        append_string(out, text, dialect);
    else
        out += text;
}

} // namespace

std::vector<Dialect> wrong_dialects()
{
    std::vector<Dialect> dialects(5);
    dialects[0].description = "JSON with a space after each comma";
    dialects[0].between = ", ";
    dialects[1].description = "JSON with everything beyond ASCII escaped";
    dialects[1].escape_beyond_ascii = true;
    dialects[2].description =
        "JSON with a space after each comma and everything beyond ASCII escaped";
    dialects[2].between = ", ";
    dialects[2].escape_beyond_ascii = true;
    dialects[3].description = "JSON with slashes and everything beyond ASCII escaped";
    dialects[3].escape_slash = true;
    dialects[3].escape_beyond_ascii = true;
    dialects[4].description = "uuids in upper case";
    dialects[4].upper_uuid = true;
    for (const char *separator : {"", ",", ", ", ";", "|", ":", " ", "-", "_", "/", "\n", "\t"}) {
        std::string shown;
        append_json_string(shown, separator);
        Dialect joined;
        joined.description = "elements joined by " + shown + " instead of JSON";
        joined.quote = false;
        joined.between = separator;
        dialects.push_back(joined);
        Dialect separated;
        separated.description = "parts separated by " + shown;
        separated.after_prefix = separator;
        dialects.push_back(separated);
    }
    return dialects;
}

std::string write_name(Layout layout, std::span<const NormalPart> parts, const Dialect &dialect)
{
    const bool brackets = layout == Layout::json && dialect.quote;
    std::string out = brackets ? "[" : "";
    bool first = true;
    for (const NormalPart &part : parts) {
        if (!first)
            out += layout == Layout::json ? dialect.between : dialect.after_prefix;
        first = false;
        if (part.type == PartType::text_list)
            append_list(out, part.texts, dialect);
        else
            append_scalar(out, layout, part, dialect);
    }
    return brackets ? out + ']' : out;
}

} // namespace arbiter::identity
