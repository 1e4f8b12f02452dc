// What a derivation is: which parts, how each is normalized, how they are laid out, in which
// namespace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/uuid.hpp"
#include "identity/step.hpp"

namespace arbiter::identity {

enum class PartType { text, uuid, bigint, boolean, text_list };

struct Part {
    std::string name;
    PartType type;
    std::vector<Step> each;   // of text and text[]
    std::vector<SetStep> set; // of text[]
};

// json: one JSON array of all parts. prefix: the parts joined by ':', a text[] as a JSON array and
// every other part as its bare text, which is what `${a}:${JSON.stringify(b)}` writes.
enum class Layout { json, prefix };

struct Spec {
    Uuid name_space;
    Layout layout;
    std::vector<Part> parts;
};

inline constexpr std::size_t kMaxParts = 32;

// Lower-case ASCII letters, digits and underscores, at most 63, no digit first: what a part and a
// derivation are called, so that SQL needs no quotes around it.
bool is_name(std::string_view text) noexcept;

// As SQL spells them: text, uuid, bigint, boolean, text[].
std::string_view to_string(PartType type) noexcept;
std::string_view to_string(Layout layout) noexcept;
Layout parse_layout(std::string_view text);

// From the `parts` argument of create_derivation; throws 22023 naming part and key.
std::vector<Part> parse_parts(const Json &parts);

// The one spelling that is hashed and stored; parse_spec reads it back.
std::string canonical_text(const Spec &spec);
Spec parse_spec(std::string_view canonical);

} // namespace arbiter::identity
