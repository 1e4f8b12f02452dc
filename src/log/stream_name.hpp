// Names of streams and types: what they may be and what they are made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbiter::log {

// Bytes. Both go into index entries, which a page has to hold three of.
inline constexpr std::size_t kMaxStreamName = 1024;
inline constexpr std::size_t kMaxEventType = 256;

// Types that begin so are the log's own: they close, truncate and redact.
inline constexpr char kReservedPrefix = '$';
inline constexpr std::string_view kClosedType = "$closed";
inline constexpr std::string_view kTruncatedType = "$truncated";
inline constexpr std::string_view kRedactedType = "$redacted";

// 22023 if empty or too long. Anything else is a name: case, spaces, any Unicode, byte by byte.
void check_stream_name(std::string_view stream);
void check_event_type(std::string_view type);
// The same for an event that has a history: the log's own types are welcome, others with their
// prefix are not.
void check_imported_type(std::string_view type);

// category-id: the category is what stands before the first '-', the whole name if there is none.
std::string stream_name(std::string_view category, std::string_view id);
std::string_view category(std::string_view stream) noexcept;
// What stands after the first '-', empty if there is none.
std::string_view stream_id(std::string_view stream) noexcept;

} // namespace arbiter::log
