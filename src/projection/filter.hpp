// Which events a projection is shown.
#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "pg/types.hpp"
#include "projection/source.hpp"

namespace arbiter::projection {

// The filters of a projection, for who reads past the executor. Lives no longer than the projection
// and the memory it was made in.
class Filter {
public:
    explicit Filter(const Runnable &projection);

    bool wants(std::string_view stream, std::string_view type) const;
    // Of what is wanted: see Event::is_shown.
    bool shows(std::string_view type, Datum metadata) const;

private:
    std::optional<std::set<std::string_view>> types_;
    std::optional<std::string_view> category_;
};

} // namespace arbiter::projection
