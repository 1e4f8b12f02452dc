// JSON text exactly as ECMAScript's JSON.stringify writes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace arbiter::identity {

// Escapes \b \t \n \f \r \" \\ and, as lower-case \u00xx, the other code points under U+0020.
// Nothing else: not the slash, DEL, U+2028 nor anything outside ASCII. `text` is taken to be
// well-formed UTF-8.
void append_json_string(std::string &out, std::string_view text);

// ["a","b"], without white space.
void append_json_array(std::string &out, std::span<const std::string_view> texts);

} // namespace arbiter::identity
