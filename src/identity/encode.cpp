#include "identity/encode.hpp"

#include "identity/json_string.hpp"

namespace arbiter::identity {
namespace {

void append_json(std::string &out, const NormalPart &part)
{
    switch (part.type) {
    case PartType::text:
    case PartType::uuid:
        return append_json_string(out, part.text);
    case PartType::bigint:
    case PartType::boolean:
        out += part.text;
        return;
    case PartType::text_list:
        return append_json_array(out, part.texts);
    }
}

void append_bare(std::string &out, const NormalPart &part)
{
    if (part.type == PartType::text_list)
        append_json_array(out, part.texts);
    else
        out += part.text;
}

} // namespace

void append_part(std::string &out, Layout layout, const NormalPart &part)
{
    if (layout == Layout::json)
        append_json(out, part);
    else
        append_bare(out, part);
}

void append_name(std::string &out, Layout layout, std::span<const NormalPart> parts)
{
    const bool json = layout == Layout::json;
    if (json)
        out += '[';
    bool first = true;
    for (const NormalPart &part : parts) {
        if (!first)
            out += json ? ',' : ':';
        first = false;
        append_part(out, layout, part);
    }
    if (json)
        out += ']';
}

} // namespace arbiter::identity
