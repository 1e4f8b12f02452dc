// Events and appends as callers write them in JSON.
#pragma once

#include <string_view>
#include <vector>

#include "log/append.hpp"
#include "pg/types.hpp"

namespace arbiter::log {

// [{"type": …, "data": …, "metadata": {…}, "id": "…"}], metadata and id optional. 22023 names the
// element and what is wrong with it; `name` is what the caller calls the array.
std::vector<NewEvent> parse_events(Datum events, std::string_view name = "events");

// [{"stream": …, "expected": …, "events": […]}]; the requests point into `batches`.
struct Appends {
    std::vector<std::vector<NewEvent>> batches;
    std::vector<Request> requests;
};
Appends parse_appends(Datum appends);

} // namespace arbiter::log
