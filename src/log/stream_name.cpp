#include "log/stream_name.hpp"

#include "base/failure.hpp"

namespace arbiter::log {

namespace {

void check_length(std::string_view name, std::size_t limit, const char *what)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, std::string(what) + " must not be empty");
    if (name.size() > limit)
        throw Failure(sqlstate::kInvalidParameterValue, std::string(what) + " is too long",
                      "It has " + std::to_string(name.size()) + " bytes, the limit is " +
                          std::to_string(limit) + ".");
}

[[noreturn]] void refuse_reserved(std::string_view type)
{
    throw Failure(sqlstate::kInvalidParameterValue,
                  "event type \"" + std::string(type) + "\" is reserved", {},
                  "Types that begin with $ are written by the log's own calls.");
}

} // namespace

void check_stream_name(std::string_view stream)
{
    check_length(stream, kMaxStreamName, "stream name");
}

void check_event_type(std::string_view type)
{
    check_imported_type(type);
    if (type.front() == kReservedPrefix)
        refuse_reserved(type);
}

void check_imported_type(std::string_view type)
{
    check_length(type, kMaxEventType, "event type");
    if (type.front() == kReservedPrefix && type != kClosedType && type != kTruncatedType &&
        type != kRedactedType)
        refuse_reserved(type);
}

std::string stream_name(std::string_view category, std::string_view id)
{
    if (category.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "category must not be empty");
    if (category.find('-') != std::string_view::npos)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "category \"" + std::string(category) + "\" contains a hyphen",
                      "The category of a stream ends at the first hyphen of its name.",
                      "Use an underscore, or camel case.");
    if (id.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "id must not be empty");
    std::string name;
    name.reserve(category.size() + 1 + id.size());
    name.append(category).append(1, '-').append(id);
    check_stream_name(name);
    return name;
}

std::string_view category(std::string_view stream) noexcept
{
    return stream.substr(0, stream.find('-'));
}

std::string_view stream_id(std::string_view stream) noexcept
{
    std::size_t const hyphen = stream.find('-');
    return hyphen == std::string_view::npos ? std::string_view{} : stream.substr(hyphen + 1);
}

} // namespace arbiter::log
