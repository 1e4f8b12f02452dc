#include "projection/filter.hpp"

#include <vector>

#include "log/redaction.hpp"
#include "log/stream_name.hpp"
#include "pg/text_array.hpp"

namespace arbiter::projection {

Filter::Filter(const Runnable &projection) : category_(projection.category)
{
    if (projection.types.is_null())
        return;
    std::vector<std::optional<std::string_view>> types;
    pg::read_text_array(projection.types.datum(), types);
    types_.emplace();
    for (auto const &type : types)
        types_->insert(*type);
}

// The category is what stands before the first hyphen.
bool Filter::wants(std::string_view stream, std::string_view type) const
{
    return (!types_ || types_->contains(type)) &&
           (!category_ || stream.substr(0, stream.find('-')) == *category_);
}

bool Filter::shows(std::string_view type, Datum metadata) const
{
    return (types_ || !type.starts_with(log::kReservedPrefix)) && !log::is_redacted(metadata);
}

} // namespace arbiter::projection
