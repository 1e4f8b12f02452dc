// What a projection is, as its creator says it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/duration.hpp"

namespace arbiter::projection {

enum class Kind { inline_, transactional, async, external };

// 22023 for a word that names no kind.
Kind kind_from(std::string_view word);

// Its events are those of this log, so that it has a cursor: with a handler a runner of ours
// follows the feed for it, without one its workers do.
constexpr bool follows_the_feed(Kind kind) noexcept
{
    return kind == Kind::transactional || kind == Kind::async;
}

// Bytes. A name and an entity share an index entry.
inline constexpr std::size_t kMaxName = 256;
inline constexpr std::size_t kMaxEntity = 1024; // so that every stream's name is one

// 22023 if empty or too long.
void check_name(std::string_view name);
void check_entity(std::string_view entity);
void check_revision(std::int64_t revision);

inline constexpr Duration kLongestReconcileEvery = std::chrono::hours(24) * 365 * 1000;

// The reconciler that is no function: an outside process reports what it found and repaired.
inline constexpr std::string_view kOutsideReconciler = "external";

struct Definition {
    std::string_view name;
    std::string_view kind;
    std::optional<std::string_view> handler;
    std::optional<std::string_view> reconciler;
    std::optional<Duration> reconcile_every;
    std::optional<std::vector<std::string_view>> types;
    std::optional<std::string_view> category;
    bool strict;
    std::int64_t max_attempts;
};

// 22023 for a definition that contradicts itself.
void check(const Definition &definition);

} // namespace arbiter::projection
