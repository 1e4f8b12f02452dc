#include "log/redaction.hpp"

#include "pg/json.hpp"

namespace arbiter::log {

namespace {
constexpr std::string_view kMember = "$redacted";
}

Datum redacted_metadata(std::int64_t told)
{
    pg::JsonMember const member{kMember, pg::json_number(told)};
    return pg::json_object({&member, 1});
}

bool is_redacted(Datum metadata)
{
    return pg::json_has(metadata, kMember);
}

} // namespace arbiter::log
