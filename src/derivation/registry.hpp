// The derivations of a store: a table that only grows, and one SQL function for each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "derivation/record.hpp"
#include "store/store.hpp"

namespace arbiter::derivation {

struct Definition {
    std::string_view name;
    const identity::Spec &spec;
    const std::vector<identity::GoldenVector> &vectors;
    std::optional<std::string_view> supersedes;
};

// `restored`: the definition was known and its function was not as it had been made.
enum class Made { created, existed, restored };
Made create(store::Store &store, const Definition &definition);

// The function goes, the name stays taken: a name that meant one thing never means another.
// 2BP01 while anything depends on the function, unless forced.
void drop(store::Store &store, std::string_view name, bool force);

// The format of a store that came with the registry.
inline constexpr int kFirstFormat = 3;

// A plain table of our columns: anyone may make a view of that name, and what it calls would run as
// whoever reads it, be it the superuser who looks at all stores.
bool has_registry(const store::Store &store);

std::optional<Record> known(store::Store &store, std::string_view name);
// 42704 where there is none.
Record find(store::Store &store, std::string_view name);
std::vector<Record> all(store::Store &store);

// Whether UPDATE and the like on the registry come from a call of ours; 42501 is not the question,
// RB003 is.
void guard_registry(std::string_view store, std::string_view command);

} // namespace arbiter::derivation
