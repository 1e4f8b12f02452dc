// From normalized parts to the octets that are hashed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "identity/spec.hpp"

namespace arbiter::identity {

// One part after its steps. Owns nothing.
struct NormalPart {
    PartType type;
    std::string_view text;               // of every type but text[]: how it reads bare
    std::vector<std::string_view> texts; // of text[]
};

// What stands for the part in the name. As a JSON value uuid and text are strings, bigint is a
// number, boolean a literal, text[] an array; the layout prefix has all but the array bare.
void append_part(std::string &out, Layout layout, const NormalPart &part);

void append_name(std::string &out, Layout layout, std::span<const NormalPart> parts);

} // namespace arbiter::identity
