// When another runtime's id differs from ours: which well-known mistake would give theirs?
#pragma once

#include <optional>
#include <span>
#include <string>

#include "identity/derivation.hpp"

namespace arbiter::identity {

struct Diagnosis {
    std::string construction; // "the namespace in little-endian byte order"
    std::string octets;       // what that construction hashes after the namespace
};

// Tries one mistake at a time. Nothing where none of them gives `id`.
std::optional<Diagnosis> diagnose(const Spec &spec, std::span<const Value> values, const Uuid &id);

} // namespace arbiter::identity
