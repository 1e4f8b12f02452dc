// The elements of a text[], in order, and a text[] of given ones.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pg/types.hpp"

namespace arbiter::pg {

// Replaces what `elements` held; the views point into the call's memory. A null element is an empty
// optional; lower bounds do not matter. Returns the number of dimensions: what more than one should
// mean is the caller's question.
int read_text_array(Datum array, std::vector<std::optional<std::string_view>> &elements);

Datum text_array(std::span<const std::string_view> elements);

} // namespace arbiter::pg
