// Putting names into SQL text.
#pragma once

#include <string>
#include <string_view>

namespace arbiter {

// Always quoted, so that no list of reserved words has to be right: shop becomes "shop".
std::string quote_identifier(std::string_view name);

// As an SQL string constant, whatever standard_conforming_strings says.
std::string quote_literal(std::string_view value);

// $stem$ or, where the text has that in it, $stem1$ and so on: what a body that holds the text can
// stand between.
std::string dollar_tag(std::string_view stem, std::string_view text);

// Every occurrence of key, from left to right; what was put in is not searched again.
std::string replace_all(std::string text, std::string_view key, std::string_view value);

} // namespace arbiter
