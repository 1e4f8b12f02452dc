// Guards: "at most one open X per Y". An arbiter: a unique index with a message.
#pragma once

#include <string>
#include <string_view>

#include "guard/definition.hpp"

namespace arbiter::guard {

enum class Made { created, existed, adopted };

// The predicate of the definition is the caller's text. 42710 where something else has the name.
Made create(const std::string &name, std::string_view relation, Definition given);

// 42704 if the table has no guard of that name.
void drop(const std::string &name, std::string_view relation);

} // namespace arbiter::guard
