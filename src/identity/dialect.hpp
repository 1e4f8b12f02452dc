// The ways in which other code writes the same parts, for diagnosis only. None of them is offered
// as a layout: some are not injective, the others are JSON that another serializer happens to
// print.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "identity/encode.hpp"

namespace arbiter::identity {

struct Dialect {
    std::string description;
    bool quote = true;                   // false: elements are joined as they are, without brackets
    std::string_view between = ",";      // elements, and in the json layout parts
    std::string_view after_prefix = ":"; // parts of the prefix layout
    bool escape_beyond_ascii = false;    // \u00e9
    bool escape_slash = false;           // \/
    bool upper_uuid = false;
};

std::vector<Dialect> wrong_dialects();

// With a default Dialect: the same as append_name.
std::string write_name(Layout layout, std::span<const NormalPart> parts, const Dialect &dialect);

} // namespace arbiter::identity
