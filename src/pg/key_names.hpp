// The names behind the keys of entity locks, for those who look. A lock's key is a hash of its
// name, so what is remembered is never wrong, only forgotten when another name needs the place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::pg {

// Called once from _PG_init.
void request_key_names();

void remember_name(std::uint64_t key, std::string_view name) noexcept;

// Nothing where the library is not preloaded or the name is forgotten; the beginning of a long one.
std::optional<std::string> name_of(std::uint64_t key);

} // namespace arbiter::pg
